// headrace/detail/shared_descriptor.hpp: a descriptor with several users. Not for users.
#pragma once

#include <cstdlib>

#include "../config.hpp"
#include "file.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// A descriptor that several sources read by pread(2), each from a place of its own; the last one closes it.
struct shared_descriptor {
  int descriptor;
  unsigned users;
};

inline void retain(shared_descriptor* shared) noexcept { __atomic_add_fetch(&shared->users, 1u, __ATOMIC_RELAXED); }

inline void release(shared_descriptor* shared) noexcept {
  if (__atomic_sub_fetch(&shared->users, 1u, __ATOMIC_ACQ_REL) != 0) return;
  close_file(shared->descriptor);
  std::free(shared);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
