// headrace/detail/simd/avx2_index_fields.hpp: what avx2 adds to the text of generic/index_fields.hpp. A part of
// index_fields.hpp.
#pragma once

#include "scalar_index_fields.hpp"
#include "target.hpp"

#if defined(__x86_64__)
HEADRACE_TARGET_BEGIN("avx2,bmi,bmi2,popcnt")
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace avx2 {
#include "generic/equal_bytes.hpp"
#include "generic/find_marks.hpp"
#include "generic/prefix_xor.hpp"

#include "generic/index_fields.hpp"
}  // namespace avx2
template <>
inline constexpr index_fields_function index_fields_of<avx2::kernel> = avx2::index_fields;
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_TARGET_END
#endif
