// headrace/detail/simd/format.hpp: integers in bulk, by the kernel that this machine runs best. Below AVX-512 that is
// the scalar one: without a compress instruction the vectors gain nothing over a table of three digits.
#pragma once

#include "../../format.hpp"
#include "dispatch.hpp"
#if __has_include("format_avx512.hpp")  // `headrace bundle --kernels` may leave it out
#include "format_avx512.hpp"
#endif

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

template <class Integer>
char* write_integers(char* to, const Integer* values, std::size_t count, char separator) noexcept {
#if HEADRACE_X86 && __has_include("format_avx512.hpp")
  if constexpr (sizeof(Integer) == 4 || sizeof(Integer) == 8) {
    if (chosen_kernel() == kernel::avx512) return avx512::write_integers(to, values, count, separator);
  }
#endif
  return write_integers_scalar(to, values, count, separator);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
