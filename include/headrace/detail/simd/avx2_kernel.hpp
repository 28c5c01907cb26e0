// headrace/detail/simd/avx2_kernel.hpp: the kernel that the parts of AVX2 make.
#pragma once

#include "avx2.hpp"
#include "avx2_parse_float.hpp"

#if defined(__x86_64__)

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace avx2 {

struct kernel : scalar::kernel {
  static constexpr const char* name = "avx2";
  static constexpr unsigned needs = avx2_bmi_fma;
  static constexpr auto index_tokens = avx2::index_tokens;
  static constexpr auto index_newlines = avx2::index_newlines;
  template <unsigned Width>
  static constexpr auto convert_integers = avx2::convert_integers<Width>;
  template <unsigned Width>
  static constexpr scalar::scan_function scan_integers = nullptr;
  template <class Float>
  static constexpr auto convert_floats = avx2::convert_floats<Float>;
};

}  // namespace avx2
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

#endif
