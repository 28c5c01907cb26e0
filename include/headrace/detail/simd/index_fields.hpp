// headrace/detail/simd/index_fields.hpp: where the fields of delimited text end: one text for every kernel, with what
// each has to add to its primitives. Apart from kernels.hpp, so that only programs with columns compile it.
#pragma once

#include "scalar_index_fields.hpp"
#if __has_include("sse41_index_fields.hpp") || __has_include("avx2_index_fields.hpp")
#include "target.hpp"  // here, so that `headrace bundle` has it once where two of them are
#endif

#if __has_include("avx2_index_fields.hpp")
#include "avx2_index_fields.hpp"
#endif
#if __has_include("avx512_index_fields.hpp")
#include "avx512_index_fields.hpp"
#endif
#if __has_include("model_index_fields.hpp")
#include "model_index_fields.hpp"
#endif
#if __has_include("neon_index_fields.hpp")
#include "neon_index_fields.hpp"
#endif
#if __has_include("sse41_index_fields.hpp")
#include "sse41_index_fields.hpp"
#endif

#undef HEADRACE_TARGET_BEGIN
#undef HEADRACE_TARGET_END
#undef HEADRACE_PRAGMA

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

HEADRACE_INLINE void index_fields(const char* text, std::size_t size, field_marks marks, std::uint16_t* ends,
                                  field_index& found) noexcept {
  part_of_kernel<field_indexer>()(text, size, marks, ends, found);
}

HEADRACE_INLINE void copy_edges(const std::uint16_t* ends, std::size_t stride, std::size_t count,
                                std::uint16_t* edges) noexcept {
  part_of_kernel<edge_copier>()(ends, stride, count, edges);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
