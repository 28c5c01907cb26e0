// headrace/detail/simd/avx2.hpp: AVX2, BMI1 and BMI2 (Haswell, Zen and newer). Why inline assembly: see sse41.hpp.
#pragma once

#include "bit_places.hpp"
#include "cpu.hpp"
#include "scalar.hpp"
#include "target.hpp"

#if HEADRACE_X86
HEADRACE_TARGET_BEGIN("avx2,bmi,bmi2,popcnt")

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace avx2 {

constexpr unsigned vector_size = 32;
#include "generic/vectors.hpp"

// As in sse41.hpp.
HEADRACE_INLINE bytes all_bytes(std::uint64_t eight) noexcept {
  qwords constant = qwords{} + eight;
  asm("" : "+x"(constant));
  return (bytes)constant;
}
HEADRACE_INLINE bytes in_each_lane(std::uint64_t first, std::uint64_t second) noexcept {
  return (bytes)qwords{first, second, first, second};
}
HEADRACE_INLINE bytes spread(const unsigned char (&bytes_of)[2]) noexcept {
  const std::uint64_t low = every_byte(bytes_of[0]), high = every_byte(bytes_of[1]);
  return (bytes)qwords{low, low, high, high};
}
HEADRACE_INLINE bytes lookup(bytes table, bytes index) noexcept {
  asm("vpshufb %1, %0, %0" : "+x"(table) : "x"(index));
  return table;
}
HEADRACE_INLINE std::uint32_t mask_of_bytes(bytes top_bits) noexcept {
  std::uint32_t mask;
  asm("vpmovmskb %1, %0" : "=r"(mask) : "x"(top_bits));
  return mask;
}
HEADRACE_INLINE std::uint64_t mask_of_block(const bytes (&top_bits)[2]) noexcept {
  return mask_of_bytes(top_bits[0]) | std::uint64_t(mask_of_bytes(top_bits[1])) << 32;
}
HEADRACE_INLINE bytes max_signed(bytes a, bytes b) noexcept {
  asm("vpmaxsb %1, %0, %0" : "+x"(a) : "x"(b));
  return a;
}
HEADRACE_INLINE bytes add_pairs(bytes a, bytes weights) noexcept {
  asm("vpmaddubsw %1, %0, %0" : "+x"(a) : "x"(weights));
  return a;
}
HEADRACE_INLINE bytes add_pairs_of_words(bytes a, bytes weights) noexcept {
  asm("vpmaddwd %1, %0, %0" : "+x"(a) : "x"(weights));
  return a;
}
HEADRACE_INLINE bytes pack_words(bytes a, bytes b) noexcept {
  asm("vpackusdw %1, %0, %0" : "+x"(a) : "x"(b));
  return a;
}
HEADRACE_INLINE dwords even_dwords(bytes a, bytes b) noexcept {
  asm("vshufps $0x88, %1, %0, %0" : "+x"(a) : "x"(b));
  return (dwords)a;
}
HEADRACE_INLINE qwords widen(const dwords& values, int half) noexcept {
  qwords result;
  asm("vpmovsxdq %1, %0" : "=x"(result) : "m"(reinterpret_cast<const std::int32_t(*)[4]>(&values)[half]));
  return result;
}
HEADRACE_INLINE words_of_16 widen_places(const unsigned char (&places)[8]) noexcept {
  words_of_16 result;
  asm("vpmovzxbw %1, %0" : "=x"(result) : "m"(places));
  return result;
}
// Tokens 0 and 1 in the lower lane, 4 and 5 in the upper one.
HEADRACE_INLINE bytes load_last_8(const char* base, const std::uint16_t* edges) noexcept {
  return (bytes)qwords{load_eight(base - 8 + edges[1]), load_eight(base - 8 + edges[3]),
                       load_eight(base - 8 + edges[9]), load_eight(base - 8 + edges[11])};
}
HEADRACE_INLINE bytes load_last_16(const char* base, const std::uint16_t* edges) noexcept {
  using lane = unsigned char __attribute__((vector_size(16)));
  lane low;
  __builtin_memcpy(&low, base - 16 + edges[1], 16);
  bytes both;
  asm("vinserti128 $1, %2, %t1, %0"
      : "=x"(both)
      : "x"(low), "m"(*reinterpret_cast<const char(*)[16]>(base - 16 + edges[3])));
  return both;
}

#include "generic/check_digits.hpp"
#include "generic/convert.hpp"
#include "generic/scan_bytes.hpp"
#include "generic/index.hpp"  // after what it is made of

struct kernel : scalar::kernel {
  static constexpr const char* name = "avx2";
  static bool runs_here() noexcept { return has_avx2_bmi(); }
  static constexpr auto index_tokens = avx2::index_tokens;
  static constexpr auto index_newlines = avx2::index_newlines;
  template <unsigned Width>
  static constexpr auto convert_integers = avx2::convert_integers<Width>;
  template <unsigned Width>
  static constexpr scalar::scan_function scan_integers = nullptr;
};

}  // namespace avx2
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

HEADRACE_TARGET_END
#endif
