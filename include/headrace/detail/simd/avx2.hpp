// headrace/detail/simd/avx2.hpp: AVX2, BMI1 and BMI2 (Haswell, Zen and newer). Why inline assembly: see sse41.hpp.
#pragma once

#include "../powers.hpp"
#include "bit_places.hpp"
#include "scalar.hpp"
#include "target.hpp"

#if defined(__x86_64__)
HEADRACE_TARGET_BEGIN(HEADRACE_AVX2_FEATURES)

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace avx2 {

inline constexpr unsigned vector_size = 32;
#include "generic/vectors.hpp"

// A constant, as in sse41.hpp.
HEADRACE_INLINE bytes all_bytes(std::uint64_t eight) noexcept {
  qwords constant = qwords{} + eight;
  asm("" : "+x"(constant));
  return bytes(constant);
}
HEADRACE_INLINE bytes in_each_lane(std::uint64_t first, std::uint64_t second) noexcept {
  return bytes(qwords{first, second, first, second});
}
HEADRACE_INLINE bytes lookup(bytes table, bytes index) noexcept { HEADRACE_TWO(bytes, "vpshufb", table, index); }
inline constexpr bool masks_have_places = true;
HEADRACE_INLINE std::uint32_t mask_of_bytes(bytes top_bits) noexcept {
  std::uint32_t mask;
  asm("vpmovmskb %1, %0" : "=r"(mask) : "x"(top_bits));
  return mask;
}
template <class Found, class... Pattern>
HEADRACE_INLINE std::uint64_t mask_of_block(const char* block, Pattern... pattern) noexcept {
  const std::uint64_t first = mask_of_bytes(Found::in(load(block), pattern...));
  return first | std::uint64_t(mask_of_bytes(Found::in(load(block + 32), pattern...))) << 32;
}
HEADRACE_INLINE bytes max_signed(bytes a, bytes b) noexcept { HEADRACE_TWO(bytes, "vpmaxsb", a, b); }
HEADRACE_INLINE bytes add_pairs(bytes a, bytes weights) noexcept { HEADRACE_TWO(bytes, "vpmaddubsw", a, weights); }
HEADRACE_INLINE bytes add_pairs_of_words(bytes a, bytes weights) noexcept {
  HEADRACE_TWO(bytes, "vpmaddwd", a, weights);
}
HEADRACE_INLINE bytes pack_words(bytes a, bytes b) noexcept { HEADRACE_TWO(bytes, "vpackusdw", a, b); }
HEADRACE_INLINE dwords even_dwords(bytes a, bytes b) noexcept {
  asm("vshufps $0x88, %1, %0, %0" : "+x"(a) : "x"(b));
  return dwords(a);
}
HEADRACE_INLINE qwords widen(const dwords& values, int half) noexcept {
  HEADRACE_ASM(qwords, "=x", "vpmovsxdq %1, %0", "m"(reinterpret_cast<const std::int32_t(*)[4]>(&values)[half]));
}
HEADRACE_INLINE words_of_16 widen_places(const unsigned char (&places)[8]) noexcept {
  words_of_16 result;
  asm("vpmovzxbw %1, %0" : "=x"(result) : "m"(places));
  return result;
}
// Tokens 0 and 1 in the lower lane, 4 and 5 in the upper one.
HEADRACE_INLINE bytes load_last_8(const char* base, const std::uint16_t* edges) noexcept {
  return bytes(qwords{load_eight(base - 8 + edges[1]), load_eight(base - 8 + edges[3]), load_eight(base - 8 + edges[9]),
                      load_eight(base - 8 + edges[11])});
}

#include "generic/convert.hpp"

// ---- four tokens, each in a qword ----

using doubles = double __attribute__((vector_size(32)));
using floats = std::int32_t __attribute__((vector_size(16)));  // their bits
using byte_flags = bytes;
using lane_flags = qwords;

template <class Vector>
HEADRACE_INLINE void store(void* to, const Vector& vector) noexcept {
  __builtin_memcpy(to, &vector, sizeof vector);
}
HEADRACE_INLINE qwords all_qwords(std::uint64_t value) noexcept { return qwords(all_bytes(value)); }
HEADRACE_INLINE doubles all_doubles(double value) noexcept {
  doubles constant = doubles{} + value;
  asm("" : "+x"(constant));
  return constant;
}
HEADRACE_INLINE byte_flags equal(bytes a, bytes b) noexcept { return bytes(a == b); }
HEADRACE_INLINE byte_flags equal_among(byte_flags some, bytes a, bytes b) noexcept { return equal(a, b) & some; }
HEADRACE_INLINE bytes keep_bytes(byte_flags some, bytes a) noexcept { return a & some; }
HEADRACE_INLINE bytes without(bytes a, byte_flags some) noexcept { return a & ~some; }
HEADRACE_INLINE qwords keep_qwords(lane_flags some, qwords a) noexcept { return a & some; }
HEADRACE_INLINE qwords without_lanes(qwords a, lane_flags some) noexcept { return a & ~some; }
HEADRACE_INLINE qwords decrement(qwords a, lane_flags some) noexcept { return a + some; }
HEADRACE_INLINE qwords negate_lanes(qwords a, lane_flags some) noexcept { return (a ^ some) - some; }
HEADRACE_INLINE qwords select(qwords mask, qwords yes, qwords no) noexcept { return (yes & mask) | (no & ~mask); }
HEADRACE_INLINE unsigned mask_of_lanes(lane_flags some) noexcept {
  HEADRACE_ASM(unsigned, "=r", "vmovmskpd %1, %0", "x"(some));
}
HEADRACE_INLINE lane_flags is_zero(qwords a) noexcept { return qwords(a == qwords{}); }
HEADRACE_INLINE lane_flags is_nonzero(qwords a) noexcept { return ~is_zero(a); }
HEADRACE_INLINE lane_flags lanes_of(byte_flags some) noexcept { return is_nonzero(qwords(some)); }
HEADRACE_INLINE lane_flags where_above(qwords a, std::int64_t limit) noexcept {
  using signed_qwords = std::int64_t __attribute__((vector_size(32)));
  return qwords(signed_qwords(a) > signed_qwords(all_qwords(static_cast<std::uint64_t>(limit))));
}
HEADRACE_INLINE lane_flags where_outside(qwords a, std::int64_t min, std::int64_t max) noexcept {
  return where_above(a, max) | ~where_above(a, min - 1);
}
HEADRACE_INLINE lane_flags where_different(qwords a, qwords b) noexcept { return is_nonzero(a - b); }
HEADRACE_INLINE lane_flags where_different(floats a, floats b) noexcept {
  HEADRACE_ASM(lane_flags, "=x", "vpmovsxdq %1, %0", "x"(floats(a != b)));
}
HEADRACE_INLINE bytes max_unsigned(bytes a, bytes b) noexcept { HEADRACE_TWO(bytes, "vpmaxub", a, b); }
// Bytes that are no digits, and lanes without any: their top bits.
HEADRACE_INLINE bytes find_others(bytes digits, lane_flags empty) noexcept {
  return digits | bytes(empty) | ((digits | bytes(empty)) + all_bytes(every_byte(0x76)));
}
HEADRACE_INLINE bool has_others(bytes digits, lane_flags empty) noexcept {
  return mask_of_bytes(find_others(digits, empty)) != 0;
}
HEADRACE_INLINE lane_flags lanes_of_others(bytes digits, lane_flags empty) noexcept {
  return lanes_of(find_others(digits, empty) & all_bytes(every_byte(0x80)));
}
// How many bytes of each qword are 1, where the others are 0.
HEADRACE_INLINE qwords count_ones(qwords a) noexcept { HEADRACE_TWO(qwords, "vpsadbw", a, qwords{}); }
// How many bytes of a qword are above the one that is 1.
HEADRACE_INLINE qwords count_bytes_after(qwords a) noexcept {
  return count_ones((qwords{} - (a << 8)) & all_qwords(every_byte(1)));
}
HEADRACE_INLINE qwords swap_halves(qwords a) noexcept { HEADRACE_ASM(qwords, "=x", "vpshufd $0xb1, %1, %0", "x"(a)); }
HEADRACE_INLINE doubles subtract(doubles a, doubles b) noexcept { HEADRACE_TWO(doubles, "vsubpd", a, b); }
HEADRACE_INLINE doubles add(doubles a, doubles b) noexcept { HEADRACE_TWO(doubles, "vaddpd", a, b); }
HEADRACE_INLINE doubles multiply(doubles a, doubles b) noexcept { HEADRACE_TWO(doubles, "vmulpd", a, b); }
HEADRACE_INLINE doubles divide(doubles a, doubles b) noexcept { HEADRACE_TWO(doubles, "vdivpd", a, b); }
HEADRACE_INLINE doubles multiply_add(doubles a, doubles b, doubles addend) noexcept {
  HEADRACE_INTO(addend, "vfmadd231pd %2, %1, %0", "x"(a), "x"(b));
}
HEADRACE_INLINE doubles multiply_subtract(doubles a, doubles b, doubles subtrahend) noexcept {
  HEADRACE_INTO(subtrahend, "vfmsub231pd %2, %1, %0", "x"(a), "x"(b));
}
// Whole numbers below 2^52: as the fraction of 2^52 + a.
HEADRACE_INLINE doubles to_doubles(qwords a) noexcept {
  const qwords magic = all_qwords(std::uint64_t{1023 + 52} << 52);
  return subtract(doubles(a | magic), doubles(magic));
}
HEADRACE_INLINE floats to_floats(doubles a) noexcept { HEADRACE_ASM(floats, "=x", "vcvtpd2psy %1, %0", "x"(a)); }
HEADRACE_INLINE bytes spread_low_byte(qwords a) noexcept { return lookup(bytes(a), in_each_lane(0, every_byte(8))); }
// The bytes that belong to a token, `back` bytes before its last ones.
HEADRACE_INLINE byte_flags bytes_of_tokens(bytes lengths, unsigned back) noexcept {
  return bytes(signed_bytes(lengths) > signed_bytes(all_bytes(0x0001020304050607 + every_byte(back))));
}
HEADRACE_INLINE bytes digits_of(bytes text, bytes lengths, unsigned back) noexcept {
  return (text - all_bytes(every_byte('0'))) & bytes_of_tokens(lengths, back);
}

// The 16 bytes at four addresses: the first eight of each, and the second eight.
struct halves {
  qwords first;
  qwords second;
};
HEADRACE_INLINE qwords load_two(const void* low, const void* high) noexcept {
  qwords result;
  asm("vmovdqu %1, %x0\n\tvinserti128 $1, %2, %0, %0"
      : "=&x"(result)
      : "m"(*static_cast<const char(*)[16]>(low)), "m"(*static_cast<const char(*)[16]>(high)));
  return result;
}
template <class Address>
HEADRACE_INLINE halves load_halves(Address at) noexcept {
  const qwords even = load_two(at(0), at(2)), odd = load_two(at(1), at(3));
  halves result;
  asm("vpunpcklqdq %2, %1, %0" : "=x"(result.first) : "x"(even), "x"(odd));
  asm("vpunpckhqdq %2, %1, %0" : "=x"(result.second) : "x"(even), "x"(odd));
  return result;
}
HEADRACE_INLINE qwords multiply(qwords a, std::uint64_t factor) noexcept {  // the lower 32 bits of each
  asm("vpmuludq %1, %0, %0" : "+x"(a) : "x"(all_bytes(factor)));
  return a;
}
HEADRACE_INLINE qwords load_edges(const std::uint16_t* edges) noexcept {
  HEADRACE_ASM(qwords, "=x", "vpmovzxdq %1, %0", "m"(*reinterpret_cast<const std::uint16_t(*)[8]>(edges)));
}

// Eight digits in each qword.
HEADRACE_INLINE qwords join_eights(bytes digits) noexcept {
  const qwords fours = qwords(join_fours(digits));
  return multiply(fours, 10000) + (fours >> 32);
}
HEADRACE_INLINE qwords join(bytes digits) noexcept { return join_eights(max_signed(digits, bytes{})); }  // a minus is 0

// ---- longer integers: four at a time, which gains a quarter over one at a time ----

// Whether there is nothing wrong in a block that has another one, `before`, to its left in the same tokens; `last`:
// none is to its right.
HEADRACE_INLINE bool is_clean(const digit_block& block, std::uint32_t before, bool last) noexcept {
  const std::uint32_t wrong = mask_of_bytes(block.digits | (block.digits + all_bytes(every_byte(0x76))));
  const std::uint32_t minus = mask_of_bytes(bytes(block.digits == all_bytes(every_byte('-' - '0' + 256))));
  const std::uint32_t follows = ((mask_of_bytes(block.keep) << 1) & 0xfefefefe) | ((before >> 7) & 0x01010101);
  return (wrong & ~(minus & ~follows & (last ? 0x7f7f7f7f : 0xffffffff))) == 0;
}

// Stores four values of less than 2^63 unless one is out of range.
template <unsigned Width>
HEADRACE_INLINE bool store_four(qwords sums, bytes digits, char* out, integer_range range) noexcept {
  using signed_qwords = std::int64_t __attribute__((vector_size(32)));
  const lane_flags negative = is_nonzero(qwords(digits & all_bytes(every_byte(0x80))));
  if (unlikely(range.max_negative == 0 && mask_of_lanes(negative) != 0)) return false;
  if (range.max <= 0xffffffff) {
    const signed_qwords limit = signed_qwords(all_qwords(range.max) - negative);
    if (mask_of_lanes(qwords(signed_qwords(sums) > limit)) != 0) return false;
  }
  const qwords values = negate_lanes(sums, negative);
  if constexpr (Width == 8) {
    store(out, values);
  } else {
    dwords packed;
    asm("vpermd %2, %1, %0" : "=x"(packed) : "x"(dwords{0, 2, 4, 6, 0, 2, 4, 6}), "x"(values));
    __builtin_memcpy(out, &packed, 16);
  }
  return true;
}

// Four tokens of up to 8 * Blocks bytes, and at most 20. Of twenty, the first four digits are less than those of the
// largest value: what is closer to it is left to the scalar function.
template <unsigned Width, unsigned Blocks>
HEADRACE_INLINE bool convert_blocks(const char* base, const std::uint16_t* edges, qwords lengths, char* out,
                                    integer_range range) noexcept {
  const bytes length_bytes = spread_low_byte(lengths);
  digit_block block[Blocks];
#pragma GCC unroll 3
  for (unsigned i = 0; i < Blocks; ++i) {
    const char* const from = base - 8 - 8 * i;
    block[i].keep = bytes_of_tokens(length_bytes, 8 * i);
    block[i].digits = bytes(qwords{load_eight(from + edges[1]), load_eight(from + edges[3]),
                                   load_eight(from + edges[5]), load_eight(from + edges[7])});
    block[i].digits = (block[i].digits - all_bytes(every_byte('0'))) & block[i].keep;
  }
#pragma GCC unroll 3
  for (unsigned i = 0; i < Blocks; ++i) {
    const std::uint32_t before = i + 1 < Blocks ? mask_of_bytes(block[i + 1 < Blocks ? i + 1 : i].keep) : 0;
    if (unlikely(!is_clean(block[i], before, i == 0))) return false;
  }
  qwords sums = join(block[0].digits) + multiply(join(block[1].digits), 100000000);
  bytes signs = block[0].digits | block[1].digits;
  if constexpr (Blocks > 2) {
    constexpr std::uint64_t sixteen_digits = 10000000000000000u;
    const qwords high = join(block[2].digits);
    if (mask_of_lanes(where_above(high, static_cast<std::int64_t>(range.max / sixteen_digits) - 1)) != 0) return false;
    sums += multiply(high, sixteen_digits) + (multiply(high, sixteen_digits >> 32) << 32);
    signs |= block[2].digits;
  }
  return store_four<Width>(sums, signs, out, range);
}
template <unsigned Width>
__attribute__((noinline)) bool convert_four_wide(const char* base, const std::uint16_t* edges, qwords lengths,
                                                 char* out, integer_range range) noexcept {
  return mask_of_lanes(where_above(lengths, 20)) == 0 && convert_blocks<Width, 3>(base, edges, lengths, out, range);
}
template <unsigned Width>
HEADRACE_INLINE bool convert_four(const char* base, const std::uint16_t* edges, char* out,
                                  integer_range range) noexcept {
  const qwords pairs = load_edges(edges), lengths = (pairs >> 16) - (pairs & 0xffff);
  if (mask_of_lanes(where_above(lengths, 16)) == 0) return convert_blocks<Width, 2>(base, edges, lengths, out, range);
  return Width == 8 && convert_four_wide<Width>(base, edges, lengths, out, range);
}

#include "generic/scan_bytes.hpp"
#include "generic/index.hpp"  // after what it is made of

// ---- four decimals at a time to doubles or floats ----
//
// These instructions round as the program wishes: convert_floats() asks first.

inline constexpr std::size_t lanes = 4;
inline constexpr unsigned max_divided = 2;  // 16 digits below 2^53, by a power of ten that is a double
HEADRACE_INLINE bool can_round() noexcept { return rounds_to_nearest<true>(); }
// From what take_points() gives.
HEADRACE_INLINE qwords count_places(qwords places) noexcept { return places; }

#include "generic/convert_floats.hpp"

template <unsigned Width, class End>
HEADRACE_INLINE token_bytes<Width> load_before(const char* base, End end_of) noexcept {
  token_bytes<Width> text;
  if constexpr (Width == 1) {
    const char* const from = base - 8;
    text.of[0] = bytes(qwords{load_eight(from + end_of(0)), load_eight(from + end_of(1)), load_eight(from + end_of(2)),
                              load_eight(from + end_of(3))});
  } else {
    const halves last = load_halves([=](int i) { return base - 16 + end_of(i); });
    text.of[0] = bytes(last.second);
    text.of[1] = bytes(last.first);
    if constexpr (Width > 2) text.of[2] = bytes(load_halves([=](int i) { return base - 32 + end_of(i); }).second);
  }
  return text;
}
template <unsigned Width>
HEADRACE_INLINE token_bytes<Width> load_group(const token_group& group) noexcept {
  const std::uint16_t* const edges = group.edges;
  return load_before<Width>(group.base, [=](int i) { return edges[2 * i + 1]; });
}

template <unsigned Width>
HEADRACE_INLINE bool may_have(const token_bytes<Width>&, bytes) noexcept {
  return true;
}

template <unsigned Width>
HEADRACE_INLINE qwords take_points(token_bytes<Width>& digits, lane_flags& points) noexcept {
  const bytes point = all_bytes(every_byte('.' - '0' + 256));
  const qwords one = all_qwords(every_byte(1));
  qwords after{}, blocks_after{}, none{};
#pragma GCC unroll 3
  for (unsigned i = 0; i < Width; ++i) {
    const qwords qword = qwords(digits.of[i]);
    qwords found = qwords(digits.of[i] == point) & one;
    if (i > 0) found &= none;
    const qwords not_here = is_zero(found), above = qwords{} - (found << 8);
    after |= above & one;
    blocks_after |= ~not_here & (8 * i);
    none = i == 0 ? not_here : none & not_here;
    const qwords before = i + 1 < Width ? qwords(digits.of[i + 1 < Width ? i + 1 : i]) >> 56 : qwords{};
    digits.of[i] = bytes(select(above | none, qword, (qword << 8) | before));
  }
  points = ~none;
  return count_ones(after) + blocks_after;
}

// Up to 10^9 the lower half of a double is zero, so a permutation of dwords looks eight of them up. It takes three bits
// of an index.
template <unsigned Width>
HEADRACE_INLINE doubles look_up_divisors(qwords places) noexcept {
  constexpr dwords upper = {0x3ff00000, 0x40240000, 0x40590000, 0x408f4000,
                            0x40c38800, 0x40f86a00, 0x412e8480, 0x416312d0};
  qwords found;
  asm("vpermd %2, %1, %0" : "=x"(found) : "x"(places), "x"(upper));
  const doubles to_seven = doubles(found << 32);
  if constexpr (Width == 1) return to_seven;
  const qwords from_8 = where_above(places, 7);
  return multiply(to_seven, doubles(select(from_8, qwords(all_doubles(1e8)), qwords(all_doubles(1)))));
}
template <unsigned Width, class Void>
HEADRACE_INLINE double_pairs look_up_factors(qwords places, lane_flags& beyond) noexcept {
  return look_up_powers<Void>(qwords{} - places, beyond);
}

struct kernel : scalar::two_stages {
  static constexpr const char* name = "avx2";
  static constexpr unsigned needs = avx2_bmi_fma;
  static constexpr auto index_tokens = avx2::index_tokens;
  static constexpr auto index_newlines = avx2::index_newlines;
  template <unsigned Width>
  static constexpr auto convert_integers = avx2::convert_integers<Width>;
  template <class Float>
  static constexpr auto convert_floats = avx2::convert_floats<Float>;
};

}  // namespace avx2
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

HEADRACE_TARGET_END
#endif
