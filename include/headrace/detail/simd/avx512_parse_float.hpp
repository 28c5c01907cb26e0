// headrace/detail/simd/avx512_parse_float.hpp: eight decimals at a time to doubles or floats. text that avx512.hpp
// includes into its namespace.
//
// Every operation on doubles names its rounding ({rn-sae}), so the program's rounding mode changes no bit.

using bytes = u8x64;
using qwords = u64x8;
using doubles = double __attribute__((vector_size(64)));
using floats = u32x8;  // their bits
using byte_flags = mask64;
using lane_flags = mask8;
inline constexpr std::size_t lanes = 8;
inline constexpr unsigned max_divided = 1;

constexpr bool can_round() noexcept { return true; }

// ---- primitives ----

HEADRACE_INLINE u8x64 max_unsigned(u8x64 a, u8x64 b) noexcept { HEADRACE_TWO(u8x64, "vpmaxub", a, b); }
HEADRACE_INLINE u64x8 lzcntq(u64x8 a) noexcept { HEADRACE_ONE(u64x8, "vplzcntq", a); }
// Each qword moved up by a byte, the top byte of `before` below it.
HEADRACE_INLINE u64x8 shift_in_byte(u64x8 a, u64x8 before) noexcept { HEADRACE_TWO(u64x8, "vpshldq $8,", a, before); }
HEADRACE_INLINE u64x8 swap_halves(u64x8 a) noexcept { HEADRACE_ASM(u64x8, "=v", "vprolq $32, %1, %0", "v"(a)); }
HEADRACE_INLINE u8x64 replace_bytes(u8x64 otherwise, mask64 mask, u8x64 other) noexcept {
  HEADRACE_INTO(otherwise, "vmovdqu8 %1, %0%{%2%}", "v"(other), "Yk"(mask));
}
HEADRACE_INLINE mask64 equal_among(mask64 some, u8x64 a, u8x64 b) noexcept {
  HEADRACE_ASM(mask64, "=k", "vpcmpeqb %2, %1, %0%{%3%}", "v"(a), "v"(b), "Yk"(some));
}
HEADRACE_INLINE mask64 different_among(mask64 some, u8x64 a, u8x64 b) noexcept {
  HEADRACE_ASM(mask64, "=k", "vpcmpneqb %2, %1, %0%{%3%}", "v"(a), "v"(b), "Yk"(some));
}
HEADRACE_INLINE mask8 where_different(u64x8 a, u64x8 b) noexcept { HEADRACE_MASK(mask8, "vpcmpneqq", a, b); }
HEADRACE_INLINE doubles to_doubles(u64x8 a) noexcept {
  HEADRACE_ASM(doubles, "=v", "vcvtuqq2pd %{rn-sae%}, %1, %0", "v"(a));
}
HEADRACE_INLINE u32x8 to_floats(doubles a) noexcept {
  HEADRACE_ASM(u32x8, "=v", "vcvtpd2ps %{rn-sae%}, %1, %0", "v"(a));
}
HEADRACE_INLINE mask8 where_different(u32x8 a, u32x8 b) noexcept { HEADRACE_MASK(mask8, "vpcmpneqd", a, b); }
HEADRACE_INLINE doubles add(doubles a, doubles b) noexcept { HEADRACE_TWO(doubles, "vaddpd %{rn-sae%},", a, b); }
HEADRACE_INLINE doubles subtract(doubles a, doubles b) noexcept { HEADRACE_TWO(doubles, "vsubpd %{rn-sae%},", a, b); }
HEADRACE_INLINE doubles multiply(doubles a, doubles b) noexcept { HEADRACE_TWO(doubles, "vmulpd %{rn-sae%},", a, b); }
HEADRACE_INLINE doubles divide(doubles a, doubles b) noexcept { HEADRACE_TWO(doubles, "vdivpd %{rn-sae%},", a, b); }
HEADRACE_INLINE doubles multiply_add(doubles a, doubles b, doubles addend) noexcept {
  HEADRACE_INTO(addend, "vfmadd231pd %{rn-sae%}, %2, %1, %0", "v"(a), "v"(b));
}
HEADRACE_INLINE doubles multiply_subtract(doubles a, doubles b, doubles subtrahend) noexcept {
  HEADRACE_INTO(subtrahend, "vfmsub231pd %{rn-sae%}, %2, %1, %0", "v"(a), "v"(b));
}
HEADRACE_INLINE u64x8 permi2q_table(u64x8 index, const std::uint64_t* table) noexcept {
  return permi2q(index, load<u64x8>(table), load<u64x8>(table + 8));
}
HEADRACE_INLINE doubles all_doubles(double value) noexcept {
  doubles constant = doubles{} + value;
  asm("" : "+v"(constant));
  return constant;
}

// 32 bytes at two addresses.
HEADRACE_INLINE u64x8 load_two(const void* low, const void* high) noexcept {
  u64x8 result;
  asm("vbroadcasti64x4 %1, %0" : "=v"(result) : "m"(*static_cast<const char(*)[32]>(low)));
  asm("vinserti64x4 $1, %1, %0, %0" : "+v"(result) : "m"(*static_cast<const char(*)[32]>(high)));
  return result;
}
// Two lanes of 128 bits of `a`, and the same two of `b`: the first and third, or the second and fourth.
template <bool Odd>
HEADRACE_INLINE u64x8 pick_lanes(u64x8 a, u64x8 b) noexcept {
  HEADRACE_ASM(u64x8, "=v", "vshufi64x2 %3, %2, %1, %0", "v"(a), "v"(b), "i"(Odd ? 0xdd : 0x88));
}

// The driver asks these of flags.
HEADRACE_INLINE u8x64 without(u8x64 a, mask64 some) noexcept { return replace_bytes(a, some, u8x64{}); }
HEADRACE_INLINE u64x8 without_lanes(u64x8 a, mask8 some) noexcept { return replace_qwords(a, some, u64x8{}); }
HEADRACE_INLINE u64x8 decrement(u64x8 a, mask8 some) noexcept {
  return add_masked(a, some, all_qwords(~std::uint64_t{0}));
}
HEADRACE_INLINE u64x8 negate_lanes(u64x8 a, mask8 some) noexcept { return negate_masked(a, some); }
constexpr unsigned mask_of_lanes(mask8 some) noexcept { return some; }
HEADRACE_INLINE mask8 where_above(u64x8 a, std::uint64_t limit) noexcept { return above(a, all_qwords(limit)); }
HEADRACE_INLINE mask8 where_outside(u64x8 a, std::int64_t min, std::int64_t max) noexcept {
  return where_above(a - all_qwords(static_cast<std::uint64_t>(min)), static_cast<std::uint64_t>(max - min));
}
// Bytes that are no digits, and lanes without any.
HEADRACE_INLINE bool has_others(u8x64 digits, mask8 empty) noexcept {
  return above(digits, all_bytes(every_byte(9))) != 0 || empty != 0;
}
HEADRACE_INLINE mask8 lanes_of_others(u8x64 digits, mask8 empty) noexcept {
  return lanes_of(above(digits, all_bytes(every_byte(9)))) | empty;
}
// How many bytes of a qword are above the one that is 1.
HEADRACE_INLINE u64x8 count_bytes_after(u64x8 a) noexcept { return lzcntq(a) >> 3; }
HEADRACE_INLINE u8x64 digits_of(u8x64 text, u8x64 lengths, unsigned back) noexcept {
  return subb_masked(bytes_of_tokens(lengths, back), text, all_bytes(every_byte('0')));
}

// From what take_points() gives.
HEADRACE_INLINE u64x8 count_places(u64x8 places) noexcept { return places & all_qwords(31); }

#include "generic/convert_floats.hpp"

// Up to 16 bytes each, all within 128 bytes: a permutation of two registers finds them.
template <unsigned Width>
HEADRACE_INLINE token_bytes<Width> load_near(const token_group& group) noexcept {
  const std::uint64_t first = group.edges[0];
  const u8x64 low = load<u8x64>(group.base + first), high = load<u8x64>(group.base + first + 64);
  const u8x64 index = spread_low_byte(group.ends - first) + all_bytes(0xfffefdfcfbfaf9f8);
  token_bytes<Width> text;
  text.of[0] = permi2b(index, low, high);
  if constexpr (Width > 1) text.of[1] = permi2b(index - 8, low, high);
  return text;
}

// Three qwords of each of the tokens a to h, four qwords wide:
//     a0 a1 a2 a3 c0 c1 c2 c3     two to a register; the others are b and d, e and g, f and h
//     a1 b1 a3 b3 c1 d1 c3 d3     their odd qwords, and their even ones
//     a3 b3 c3 d3 e3 f3 g3 h3     the last ones
template <unsigned Width, class End>
HEADRACE_INLINE token_bytes<Width> load_before(const char* base, End end_of) noexcept {
  if constexpr (Width > 2) {
    const char* const from = base - 32;
    const u64x8 a_c = load_two(from + end_of(0), from + end_of(2)), b_d = load_two(from + end_of(1), from + end_of(3));
    const u64x8 e_g = load_two(from + end_of(4), from + end_of(6)), f_h = load_two(from + end_of(5), from + end_of(7));
    const u64x8 odd_low = unpack_high(a_c, b_d), odd_high = unpack_high(e_g, f_h);
    const u64x8 even_low = unpack_low(a_c, b_d), even_high = unpack_low(e_g, f_h);
    return {{u8x64(pick_lanes<true>(odd_low, odd_high)), u8x64(pick_lanes<true>(even_low, even_high)),
             u8x64(pick_lanes<false>(odd_low, odd_high))}};
  } else {
    const halves last = load_halves([=](int i) { return base + end_of(i) - 16; });
    token_bytes<Width> text;
    text.of[0] = u8x64(last.second);
    if constexpr (Width > 1) text.of[1] = u8x64(last.first);
    return text;
  }
}
template <unsigned Width>
HEADRACE_INLINE token_bytes<Width> load_group(const token_group& group) noexcept {
  const std::uint16_t* const edges = group.edges;
  if constexpr (Width <= 2) {
    if (static_cast<std::size_t>(edges[15]) - edges[0] <= 128) return load_near<Width>(group);  // not those of a column
  }
  return load_before<Width>(group.base, [=](int i) { return edges[2 * i + 1]; });
}

template <unsigned Width>
HEADRACE_INLINE bool may_have(const token_bytes<Width>& digits, u8x64 byte) noexcept {
  mask64 others = different(digits.of[0], byte);
#pragma GCC unroll 3
  for (unsigned i = 1; i < Width; ++i) others = different_among(others, digits.of[i], byte);
  return others != ~mask64{0};
}

// How many bytes are after a point, by the leading zeros of a lane in which the point's byte is 0x40 where the point is
// in qword 0, 0x20 in qword 1, 0x10 in qword 2. No point, 64 zeros, counts as 32 bytes: more than there are, and in
// their last four bits 0. An index takes the last six bits.
struct places_table {
  alignas(64) unsigned char by_zeros[64]{};
  constexpr places_table() noexcept {
    by_zeros[0] = 32;
    for (unsigned i = 0; i < 24; ++i) by_zeros[i % 8 * 8 + i / 8 + 1] = static_cast<unsigned char>(i);
  }
};

template <unsigned Width>
HEADRACE_INLINE u64x8 take_points(token_bytes<Width>& digits, mask8& points) noexcept {
  static constexpr places_table table;
  const u8x64 point = all_bytes(every_byte('.' - '0' + 256));
  u8x64 found{};
#pragma GCC unroll 3
  for (unsigned i = 0; i < Width; ++i) {
    found = replace_bytes(found, equal(digits.of[i], point), all_bytes(every_byte(0x40 >> i)));
  }
  points = is_nonzero(u64x8(found));
  const u8x64 places = permb(load<u8x64>(table.by_zeros), spread_low_byte(lzcntq(u64x8(found))));
#pragma GCC unroll 3
  for (unsigned i = 0; i < Width; ++i) {
    const u64x8 before = i + 1 < Width ? u64x8(digits.of[i + 1 < Width ? i + 1 : i]) : u64x8{};
    const mask64 stays = above(places, all_bytes(0x0001020304050607 + every_byte(8 * i)));
    digits.of[i] = replace_bytes(u8x64(shift_in_byte(u64x8(digits.of[i]), before)), stays, digits.of[i]);
  }
  return u64x8(places);
}

template <unsigned Width>
HEADRACE_INLINE doubles look_up_divisors(u64x8 places) noexcept {
  alignas(64) static constexpr double table[8] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
  doubles result;
  asm("vpermpd %2, %1, %0" : "=v"(result) : "v"(places), "v"(load<doubles>(table)));
  return result;
}

// Each byte of a lane holds the number of places; where there is no point, their last four bits are 0.
template <unsigned Width, class Void>
HEADRACE_INLINE double_pairs look_up_factors(u64x8 places, mask8&) noexcept {
  const small_power_table& table = small_powers<Void>;
  u64x8 upper = permi2q_table(places, table.upper), lower = permi2q_table(places, table.lower);
  if constexpr (Width > 2) {
    const mask8 many = any_common_bit(places, all_qwords(16));
    upper = replace_qwords(upper, many, permi2q_table(places, table.upper + 16));
    lower = replace_qwords(lower, many, permi2q_table(places, table.lower + 16));
  }
  return {doubles(upper), doubles(lower)};
}
