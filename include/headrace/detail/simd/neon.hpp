// headrace/detail/simd/neon.hpp: NEON on 64-bit Arm, where every processor has it. Why inline assembly: see sse41.hpp.
#pragma once

#include "bit_places.hpp"
#include "scalar.hpp"
#include "target.hpp"

#if defined(__aarch64__) && defined(__ARM_NEON) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace neon {

inline constexpr unsigned vector_size = 16;
#include "generic/vectors.hpp"

HEADRACE_INLINE bytes all_bytes(std::uint64_t eight) noexcept { return bytes(qwords{} + eight); }
// Two qwords, which are those of every lane.
HEADRACE_INLINE bytes in_each_lane(std::uint64_t first, std::uint64_t second) noexcept {
  return bytes(qwords{first, second});
}
HEADRACE_INLINE bytes lookup(bytes table, bytes index) noexcept {  // past the table gives 0
  bytes result;
  asm("tbl %0.16b, {%1.16b}, %2.16b" : "=w"(result) : "w"(table), "w"(index & all_bytes(every_byte(0x8f))));
  return result;
}
HEADRACE_INLINE bytes add_neighbours(bytes a, bytes b) noexcept {
  HEADRACE_ASM(bytes, "=w", "addp %0.16b, %1.16b, %2.16b", "w"(a), "w"(b));
}
// Each byte keeps the bit of its place among eight, and neighbours are added until eight bits are a byte.
template <class Found, class... Pattern>
HEADRACE_INLINE std::uint64_t mask_of_block(const char* block, Pattern... pattern) noexcept {
  const bytes bit = all_bytes(0x8040201008040201);
  const bytes low =
      add_neighbours(Found::in(load(block), pattern...) & bit, Found::in(load(block + 16), pattern...) & bit);
  const bytes high =
      add_neighbours(Found::in(load(block + 32), pattern...) & bit, Found::in(load(block + 48), pattern...) & bit);
  const bytes pairs = add_neighbours(low, high);
  return qwords(add_neighbours(pairs, pairs))[0];
}
// Not zero when a top bit is set; of which byte it is, it does not say.
inline constexpr bool masks_have_places = false;
HEADRACE_INLINE std::uint64_t mask_of_bytes(bytes top_bits) noexcept {
  const qwords both = qwords(top_bits & all_bytes(every_byte(0x80)));
  return both[0] | both[1];
}
HEADRACE_INLINE bytes add_pairs(bytes a, bytes weights) noexcept {  // the products fit a byte
  bytes result;
  asm("uaddlp %0.8h, %1.16b" : "=w"(result) : "w"(a * weights));
  return result;
}
HEADRACE_INLINE bytes add_pairs_of_words(bytes a, bytes weights) noexcept {
  using unsigned_dwords = std::uint32_t __attribute__((vector_size(16)));
  const unsigned_dwords value = (unsigned_dwords)a, weight = (unsigned_dwords)weights;
  return bytes((value & 0xffff) * (weight & 0xffff) + (value >> 16) * (weight >> 16));
}
HEADRACE_INLINE bytes pack_words(bytes a, bytes b) noexcept {
  HEADRACE_ASM(bytes, "=w", "uzp1 %0.8h, %1.8h, %2.8h", "w"(a), "w"(b));
}
HEADRACE_INLINE dwords even_dwords(bytes a, bytes b) noexcept {
  HEADRACE_ASM(dwords, "=w", "uzp1 %0.4s, %1.4s, %2.4s", "w"(a), "w"(b));
}
HEADRACE_INLINE qwords widen(dwords values, int half) noexcept {
  return qwords{static_cast<std::uint64_t>(std::int64_t(values[2 * half])),
                static_cast<std::uint64_t>(std::int64_t(values[2 * half + 1]))};
}
HEADRACE_INLINE words_of_16 widen_places(const unsigned char (&places)[8]) noexcept {
  using eight = unsigned char __attribute__((vector_size(8)));
  eight narrow;
  __builtin_memcpy(&narrow, places, 8);
  return __builtin_convertvector(narrow, words_of_16);
}
HEADRACE_INLINE bytes load_last_8(const char* base, const std::uint16_t* edges) noexcept {
  return bytes(qwords{load_eight(base - 8 + edges[1]), load_eight(base - 8 + edges[3])});
}

#include "generic/convert.hpp"
#include "generic/scan_bytes.hpp"
#include "generic/index.hpp"  // after what it is made of

struct kernel : scalar::two_stages {
  static constexpr const char* name = "neon";
  static constexpr auto index_tokens = neon::index_tokens;
  static constexpr auto index_newlines = neon::index_newlines;
  template <unsigned Width>
  static constexpr auto convert_integers = neon::convert_integers<Width>;
};

}  // namespace neon
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

#endif
