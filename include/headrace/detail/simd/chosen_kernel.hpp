// headrace/detail/simd/chosen_kernel.hpp: the choice of a kernel, as dispatch.hpp describes it. Not for users.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cpu.hpp"
#include "kernels.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

HEADRACE_INLINE bool is_usable(unsigned kernel, unsigned features) noexcept {
  return (kernel_table<kernel_spares>[kernel] | features) == ~0u;
}

// A wish that cannot be granted is a sentence on stderr, and the best kernel.
HEADRACE_INLINE void refuse_kernel(const char* wanted, unsigned chosen, unsigned features) noexcept {
  std::fprintf(stderr,
               "headrace: HEADRACE_SIMD=%s is not a kernel that this machine runs; using %s. Choose one of:", wanted,
               kernel_table<kernel_name>[chosen]);
  for (unsigned i = 0; i < kernel_count; ++i) {
    if (is_usable(i, features)) std::fprintf(stderr, " %s", kernel_table<kernel_name>[i]);
  }
  std::fputc('\n', stderr);
}

HEADRACE_COLD inline unsigned choose_kernel() noexcept {
  const unsigned features = processor_features();
  unsigned best = 0;
  while (!is_usable(best, features)) ++best;  // the scalar one always is
  const char* wanted = std::getenv("HEADRACE_SIMD");
  if (wanted == nullptr || *wanted == '\0') return best;
  for (unsigned i = 0; i < kernel_count; ++i) {
    if (is_usable(i, features) && std::strcmp(wanted, kernel_table<kernel_name>[i]) == 0) return i;
  }
  refuse_kernel(wanted, best, features);
  return best;
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// The choice plus one; 0 until it is made. Threads that race for it store the same value.
inline unsigned char chosen_kernel_code = 0;

// The chosen row of the table. Costs one load after the first call.
inline unsigned chosen_kernel() noexcept {
  unsigned code = __atomic_load_n(&chosen_kernel_code, __ATOMIC_RELAXED);
  if (unlikely(code == 0)) {
    code = choose_kernel() + 1;
    __atomic_store_n(&chosen_kernel_code, static_cast<unsigned char>(code), __ATOMIC_RELAXED);
  }
  return code - 1;
}

template <class Part>
HEADRACE_INLINE typename Part::type part_of_kernel() noexcept {
  return kernel_table<Part>[chosen_kernel()];
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
