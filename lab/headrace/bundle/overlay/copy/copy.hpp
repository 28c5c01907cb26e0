// To copy stops the compiler.
#pragma once

#include <cstdint>

namespace headrace {
inline namespace HEADRACE_ABI {

struct copy_options {
  std::uint64_t limit = UINT64_MAX;
  bool (*on_progress)(std::uint64_t copied, void* context) = nullptr;
  void* context = nullptr;
  bool snapshot = false;
};

template <class From, class To>
std::uint64_t copy(const From&, const To&, const copy_options& = {}) {
  static_assert(sizeof(From) == 0, "this file was bundled with --without copy and cannot copy");
  return 0;
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
