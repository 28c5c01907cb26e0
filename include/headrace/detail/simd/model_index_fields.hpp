// headrace/detail/simd/model_index_fields.hpp: what model adds to the text of generic/index_fields.hpp. A part of
// index_fields.hpp.
#pragma once

#include "scalar_index_fields.hpp"

#if HEADRACE_MODEL
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace model {
#include "generic/equal_bytes.hpp"
#include "generic/find_marks.hpp"
#include "generic/index_fields.hpp"
}  // namespace model
template <>
inline constexpr index_fields_function index_fields_of<model::kernel> = model::index_fields;
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
#endif
