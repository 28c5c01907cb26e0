// headrace/detail/simd/avx512_index_fields.hpp: what avx512 adds to the text of generic/index_fields.hpp. A part of
// index_fields.hpp.
#pragma once

#include "scalar_index_fields.hpp"
#include "target.hpp"

#if defined(__x86_64__)
HEADRACE_TARGET_BEGIN("bmi,bmi2,popcnt,avx512vl,avx512dq,avx512cd,avx512ifma,avx512vbmi,avx512vbmi2,avx512vpopcntdq")
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace avx512 {
using byte_pattern = u8x64;
HEADRACE_INLINE byte_pattern make_pattern(char byte) noexcept {
  return all_bytes(every_byte(static_cast<unsigned char>(byte)));
}
HEADRACE_INLINE std::uint64_t mask_of_equal(const char* block, byte_pattern pattern) noexcept {
  return equal(load<u8x64>(block), pattern);
}
#include "generic/find_marks.hpp"
#include "generic/index_fields.hpp"
}  // namespace avx512
template <>
inline constexpr index_fields_function index_fields_of<avx512::kernel> = avx512::index_fields;
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_TARGET_END
#endif
