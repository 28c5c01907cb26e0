// headrace/detail/simd/sse41_index_fields.hpp: what sse41 adds to the text of generic/index_fields.hpp. A part of
// index_fields.hpp.
#pragma once

#include "scalar_index_fields.hpp"
#include "target.hpp"

#if defined(__x86_64__)
HEADRACE_TARGET_BEGIN("sse4.1,popcnt")
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace sse41 {
#include "generic/equal_bytes.hpp"
#include "generic/find_marks.hpp"
#include "generic/index_fields.hpp"
}  // namespace sse41
template <>
inline constexpr index_fields_function index_fields_of<sse41::kernel> = sse41::index_fields;
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_TARGET_END
#endif
