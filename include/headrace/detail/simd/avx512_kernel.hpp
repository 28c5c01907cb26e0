// headrace/detail/simd/avx512_kernel.hpp: the kernel that the parts of AVX-512 make.
#pragma once

#include "avx512_format.hpp"
#include "avx512_parse_float.hpp"
#include "avx512_format_float.hpp"

#if defined(__x86_64__)

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace avx512 {

struct kernel : scalar::kernel {
  static constexpr const char* name = "avx512";
  static constexpr unsigned needs = avx512_vbmi2;
  static constexpr auto index_tokens = avx512::index_tokens;
  static constexpr auto index_newlines = avx512::index_newlines;
  template <unsigned Width>
  static constexpr auto convert_integers = avx512::convert_integers<Width>;
  template <unsigned Width>
  static constexpr scalar::scan_function scan_integers = nullptr;
  template <class Float>
  static constexpr auto convert_floats = avx512::convert_floats<Float>;
  template <class Integer>
  static constexpr auto write_integers = choose_writer<Integer>();
  template <class Float>
  static constexpr auto write_floats = avx512::write_floats<Float>;
};

}  // namespace avx512
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

#endif
