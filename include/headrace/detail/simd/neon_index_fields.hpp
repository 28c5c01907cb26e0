// headrace/detail/simd/neon_index_fields.hpp: what neon adds to the text of generic/index_fields.hpp. A part of
// index_fields.hpp.
#pragma once

#include "scalar_index_fields.hpp"

#if defined(__aarch64__) && defined(__ARM_NEON) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace neon {
using byte_pattern = bytes;
inline byte_pattern make_pattern(char byte) noexcept { return all_bytes(every_byte(static_cast<unsigned char>(byte))); }
// As mask_of_block().
HEADRACE_INLINE std::uint64_t mask_of_equal(const char* block, byte_pattern pattern) noexcept {
  const bytes bit = all_bytes(0x8040201008040201);
  const bytes low = add_neighbours(bytes(load(block) == pattern) & bit, bytes(load(block + 16) == pattern) & bit);
  const bytes high = add_neighbours(bytes(load(block + 32) == pattern) & bit, bytes(load(block + 48) == pattern) & bit);
  const bytes pairs = add_neighbours(low, high);
  return qwords(add_neighbours(pairs, pairs))[0];
}
HEADRACE_INLINE bool has_either(const char* block, byte_pattern a, byte_pattern b) noexcept {
  bytes found{};
  for (unsigned at = 0; at < 64; at += 16) {
    const bytes text = load(block + at);
    found |= bytes(text == a) | bytes(text == b);
  }
  return (qwords(found)[0] | qwords(found)[1]) != 0;
}
#include "generic/find_marks.hpp"
#include "generic/index_fields.hpp"
}  // namespace neon
template <>
inline constexpr index_fields_function index_fields_of<neon::kernel> = neon::index_fields;
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
#endif
