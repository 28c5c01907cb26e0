// headrace/detail/simd/avx512_index_fields.hpp: what avx512 adds to the text of generic/index_fields.hpp. A part of
// index_fields.hpp.
#pragma once

#include "scalar_index_fields.hpp"
#include "target.hpp"

#if defined(__x86_64__)
HEADRACE_TARGET_BEGIN(HEADRACE_AVX512_FEATURES)
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
HEADRACE_INLINE bool has_either(const char* block, byte_pattern a, byte_pattern b) noexcept {
  const u8x64 text = load<u8x64>(block);
  bool none;
  asm("kortestq %1, %2" : "=@ccz"(none) : "k"(equal(text, a)), "k"(equal(text, b)));
  return !none;
}
using u32x16 = std::uint32_t __attribute__((vector_size(64)));
HEADRACE_INLINE u16x32 permi2w(u32x16 index, u16x32 low, u16x32 high) noexcept {
  asm("vpermi2w %2, %1, %0" : "+v"(index) : "v"(low), "v"(high));
  return u16x32(index);
}
#include "generic/find_marks.hpp"
#include "generic/prefix_xor.hpp"

#include "generic/index_fields.hpp"

// Of each 64 ends, in two registers, those of up to 16 fields are put side by side.
inline void copy_edges(const std::uint16_t* ends, std::size_t stride, std::size_t count,
                       std::uint16_t* edges) noexcept {
  if (stride > 20) return scalar::copy_edges(ends, stride, count, edges);  // no more than three fields at once
  const std::size_t fields = stride <= 4 ? 16 : 62 / stride + 1;
  const auto step = static_cast<std::uint32_t>(stride);
  const u32x16 first = u32x16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} * step;
  const u32x16 places = first | (first + 1) << 16;
  for (std::size_t done = 0; done < count; done += fields) {
    const std::uint16_t* const before = ends + done * stride - 1;
    const u32x16 pairs = u32x16(permi2w(places, load<u16x32>(before), load<u16x32>(before + 32)));
    store(edges + 2 * done, pairs - (std::uint32_t(1) << 16));
  }
}
}  // namespace avx512
template <>
inline constexpr index_fields_function index_fields_of<avx512::kernel> = avx512::index_fields;
template <>
inline constexpr copy_edges_function copy_edges_of<avx512::kernel> = avx512::copy_edges;
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_TARGET_END
#endif
