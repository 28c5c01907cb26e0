// headrace/detail/simd/sse41.hpp: SSE4.1 and POPCNT (Nehalem and newer).
//
// The instructions are one-line functions around inline assembly: <immintrin.h> alone costs more compile time than
// <iostream>, and the builtins that it is made of differ between compilers and their versions.
#pragma once

#include "bit_places.hpp"
#include "scalar.hpp"
#include "target.hpp"

#if defined(__x86_64__)  // a 32-bit build has too few registers: it uses the scalar kernel
HEADRACE_TARGET_BEGIN(HEADRACE_SSE41_FEATURES)

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace sse41 {

inline constexpr unsigned vector_size = 16;
#include "generic/vectors.hpp"

// A constant, eight bytes in each qword. The empty instruction keeps GCC from building it again in every round of a
// loop.
HEADRACE_INLINE bytes all_bytes(std::uint64_t eight) noexcept {
  qwords constant = qwords{} + eight;
  asm("" : "+x"(constant));
  return bytes(constant);
}
// Two qwords, which are those of every lane.
HEADRACE_INLINE bytes in_each_lane(std::uint64_t first, std::uint64_t second) noexcept {
  return bytes(qwords{first, second});
}
HEADRACE_INLINE bytes lookup(bytes table, bytes index) noexcept { HEADRACE_INTO(table, "pshufb %1, %0", "x"(index)); }
inline constexpr bool masks_have_places = true;
HEADRACE_INLINE std::uint32_t mask_of_bytes(bytes top_bits) noexcept {
  std::uint32_t mask;
  asm("pmovmskb %1, %0" : "=r"(mask) : "x"(top_bits));
  return mask;
}
// One bit per byte of 64: what `Found` finds in each vector.
template <class Found, class... Pattern>
HEADRACE_INLINE std::uint64_t mask_of_block(const char* block, Pattern... pattern) noexcept {
  const std::uint64_t first = mask_of_bytes(Found::in(load(block), pattern...)),
                      second = mask_of_bytes(Found::in(load(block + 16), pattern...)),
                      third = mask_of_bytes(Found::in(load(block + 32), pattern...)),
                      fourth = mask_of_bytes(Found::in(load(block + 48), pattern...));
  return first | second << 16 | third << 32 | fourth << 48;
}
HEADRACE_INLINE bytes add_pairs(bytes a, bytes weights) noexcept { HEADRACE_INTO(a, "pmaddubsw %1, %0", "x"(weights)); }
HEADRACE_INLINE bytes add_pairs_of_words(bytes a, bytes weights) noexcept {
  HEADRACE_INTO(a, "pmaddwd %1, %0", "x"(weights));
}
HEADRACE_INLINE bytes pack_words(bytes a, bytes b) noexcept { HEADRACE_INTO(a, "packusdw %1, %0", "x"(b)); }
HEADRACE_INLINE dwords even_dwords(bytes a, bytes b) noexcept {
  asm("shufps $0x88, %1, %0" : "+x"(a) : "x"(b));
  return dwords(a);
}
HEADRACE_INLINE qwords widen(const dwords& values, int half) noexcept {
  HEADRACE_ASM(qwords, "=x", "pmovsxdq %1, %0", "m"(reinterpret_cast<const std::int32_t(*)[2]>(&values)[half]));
}
HEADRACE_INLINE words_of_16 widen_places(const unsigned char (&places)[8]) noexcept {
  words_of_16 result;
  asm("pmovzxbw %1, %0" : "=x"(result) : "m"(places));
  return result;
}
HEADRACE_INLINE bytes load_last_8(const char* base, const std::uint16_t* edges) noexcept {
  return bytes(qwords{load_eight(base - 8 + edges[1]), load_eight(base - 8 + edges[3])});
}

#include "generic/convert.hpp"
#include "generic/scan_bytes.hpp"
#include "generic/index.hpp"  // after what it is made of

struct kernel : scalar::two_stages {
  static constexpr const char* name = "sse41";
  static constexpr unsigned needs = sse41_popcnt;
  static constexpr auto index_tokens = sse41::index_tokens;
  static constexpr auto index_newlines = sse41::index_newlines;
  template <unsigned Width>
  static constexpr auto convert_integers = sse41::convert_integers<Width>;
};

}  // namespace sse41
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

HEADRACE_TARGET_END
#endif
