// No block is narrowed: the caller takes unit after unit.
#pragma once

#include <cstddef>

#include <headrace/config.hpp>

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

constexpr std::size_t ascii_block = 16;

template <class Unit>
bool narrow_ascii(const Unit*, char*) noexcept {
  return false;
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
