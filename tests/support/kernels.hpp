// Runs something under each kernel that the machine has, or under the one that HEADRACE_SIMD names.
#pragma once

#include <headrace/detail/simd/dispatch.hpp>

#include <cstdlib>

namespace test {

template <class Action>
void for_each_kernel(Action action) {
  using headrace::detail::kernel;
  if (std::getenv("HEADRACE_SIMD") != nullptr) return action();
  for (kernel one : {kernel::scalar, kernel::sse41, kernel::avx2, kernel::avx512, kernel::neon}) {
    if (!headrace::detail::machine_runs(one)) continue;
    headrace::detail::chosen_kernel_code = static_cast<unsigned char>(static_cast<unsigned char>(one) + 1);
    action();
  }
}

}  // namespace test
