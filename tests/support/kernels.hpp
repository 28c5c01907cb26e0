// Runs something under each kernel that the machine has, or under the one that HEADRACE_SIMD names.
#pragma once

#include <headrace/detail/simd/kernels.hpp>

#include <cstdlib>

namespace test {

template <class Action>
void for_each_kernel(Action action) {
  namespace detail = headrace::detail;
  if (std::getenv("HEADRACE_SIMD") != nullptr) return action();
  static const unsigned features = detail::processor_features();  // a virtual machine takes 20 us to answer
  for (unsigned kernel = 0; kernel < detail::kernel_count; ++kernel) {
    if (!detail::is_usable(kernel, features)) continue;
    detail::chosen_kernel_code = static_cast<unsigned char>(kernel + 1);
    action();
  }
}

inline const char* chosen_kernel_name() {
  return headrace::detail::kernel_table<headrace::detail::kernel_name>[headrace::detail::chosen_kernel()];
}

}  // namespace test
