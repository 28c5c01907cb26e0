// headrace/detail/simd/avx512_parse_float.hpp: eight decimals at a time to doubles or floats. A part of avx512.hpp.
//
//     text        -12.3456      the last 24 bytes of each token, right-aligned in up to three qwords
//     1. digits   mD2p3456      '0' taken away, what is before the token 0; here the minus and the point show
//     2. closed   .D123456      the bytes before the point move up by one; places = how many are after it
//     3. joined   w             up to 19 digits as a sum of two doubles
//     4. scaled   w * 10^-places as a sum of two doubles, exact to about 102 bits, rounded to one; of up to 8 bytes
//                 w / 10^places, one division
// Ziv's test (A. Ziv, "Fast Evaluation of Elementary Mathematical Functions with Correctly Rounded Last Bit", 1991)
// tells whether an error of that size could have changed the rounding. Such a token, and whatever else is unusual, goes
// to the exact parser.
//
// Every operation on doubles names its rounding ({rn-sae}) and is one instruction, so neither the program's rounding
// mode nor its compiler's flags (-ffast-math, -ffp-contract) change a bit.
#pragma once

#include <cstring>

#include "avx512.hpp"
#include "power_pairs.hpp"

#if defined(__x86_64__)
HEADRACE_TARGET_BEGIN(HEADRACE_AVX512_FEATURES)

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace avx512 {

using f64x8 = double __attribute__((vector_size(64)));

// ---- primitives ----

HEADRACE_INLINE u8x64 maxub(u8x64 a, u8x64 b) noexcept { HEADRACE_TWO(u8x64, "vpmaxub", a, b); }
HEADRACE_INLINE u64x8 lzcntq(u64x8 a) noexcept { HEADRACE_ONE(u64x8, "vplzcntq", a); }
// Each qword moved up by a byte, the top byte of `before` below it.
HEADRACE_INLINE u64x8 shift_in_byte(u64x8 a, u64x8 before) noexcept { HEADRACE_TWO(u64x8, "vpshldq $8,", a, before); }
HEADRACE_INLINE u64x8 swap_halves(u64x8 a) noexcept { HEADRACE_ASM(u64x8, "=v", "vprolq $32, %1, %0", "v"(a)); }
HEADRACE_INLINE u8x64 replace_bytes(u8x64 otherwise, mask64 mask, u8x64 bytes) noexcept {
  HEADRACE_INTO(otherwise, "vmovdqu8 %1, %0%{%2%}", "v"(bytes), "Yk"(mask));
}
HEADRACE_INLINE mask64 equal_among(mask64 some, u8x64 a, u8x64 b) noexcept {
  HEADRACE_ASM(mask64, "=k", "vpcmpeqb %2, %1, %0%{%3%}", "v"(a), "v"(b), "Yk"(some));
}
HEADRACE_INLINE mask64 different_among(mask64 some, u8x64 a, u8x64 b) noexcept {
  HEADRACE_ASM(mask64, "=k", "vpcmpneqb %2, %1, %0%{%3%}", "v"(a), "v"(b), "Yk"(some));
}
HEADRACE_INLINE mask8 any_difference(u64x8 a, u64x8 b) noexcept { HEADRACE_MASK(mask8, "vpcmpneqq", a, b); }
HEADRACE_INLINE f64x8 to_doubles(u64x8 a) noexcept {
  HEADRACE_ASM(f64x8, "=v", "vcvtuqq2pd %{rn-sae%}, %1, %0", "v"(a));
}
HEADRACE_INLINE u32x8 to_floats(f64x8 a) noexcept { HEADRACE_ASM(u32x8, "=v", "vcvtpd2ps %{rn-sae%}, %1, %0", "v"(a)); }
HEADRACE_INLINE u32x8 narrow(u64x8 a) noexcept { HEADRACE_ONE(u32x8, "vpmovqd", a); }
HEADRACE_INLINE mask8 any_difference(u32x8 a, u32x8 b) noexcept { HEADRACE_MASK(mask8, "vpcmpneqd", a, b); }
HEADRACE_INLINE f64x8 add(f64x8 a, f64x8 b) noexcept { HEADRACE_TWO(f64x8, "vaddpd %{rn-sae%},", a, b); }
HEADRACE_INLINE f64x8 subtract(f64x8 a, f64x8 b) noexcept { HEADRACE_TWO(f64x8, "vsubpd %{rn-sae%},", a, b); }
HEADRACE_INLINE f64x8 multiply(f64x8 a, f64x8 b) noexcept { HEADRACE_TWO(f64x8, "vmulpd %{rn-sae%},", a, b); }
HEADRACE_INLINE f64x8 divide(f64x8 a, f64x8 b) noexcept { HEADRACE_TWO(f64x8, "vdivpd %{rn-sae%},", a, b); }
HEADRACE_INLINE f64x8 multiply_add(f64x8 a, f64x8 b, f64x8 addend) noexcept {
  HEADRACE_INTO(addend, "vfmadd231pd %{rn-sae%}, %2, %1, %0", "v"(a), "v"(b));
}
HEADRACE_INLINE f64x8 multiply_subtract(f64x8 a, f64x8 b, f64x8 subtrahend) noexcept {
  HEADRACE_INTO(subtrahend, "vfmsub231pd %{rn-sae%}, %2, %1, %0", "v"(a), "v"(b));
}
HEADRACE_INLINE u64x8 permi2q_table(u64x8 index, const std::uint64_t* table) noexcept {
  return permi2q(index, load<u64x8>(table), load<u64x8>(table + 8));
}
HEADRACE_INLINE f64x8 all_doubles(double value) noexcept {
  f64x8 constant = f64x8{} + value;
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

// ---- 4. the value ----

// Of each lane a number as a sum of two doubles, of which the lower one is no more than a rounding error.
struct double_pairs {
  f64x8 upper;
  f64x8 lower;
};

// 10^-places, of which each byte of a lane holds the number; where there is no point, 10^-0.
template <unsigned Width, class Void = void>  // like the table
HEADRACE_INLINE double_pairs look_up_small_powers(u64x8 places) noexcept {
  const small_power_table& table = small_powers<Void>;
  u64x8 upper = permi2q_table(places, table.upper), lower = permi2q_table(places, table.lower);
  if constexpr (Width > 2) {
    const mask8 many = any_common_bit(places, all_qwords(16));
    upper = replace_qwords(upper, many, permi2q_table(places, table.upper + 16));
    lower = replace_qwords(lower, many, permi2q_table(places, table.lower + 16));
  }
  return {f64x8(upper), f64x8(lower)};
}

// 10^places for up to seven.
HEADRACE_INLINE f64x8 look_up_exact_powers(u64x8 places) noexcept {
  alignas(64) static constexpr double table[8] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
  f64x8 result;
  asm("vpermpd %2, %1, %0" : "=v"(result) : "v"(places), "v"(load<f64x8>(table)));
  return result;
}

// 10^exponent; `beyond` are lanes whose power is not in the table.
template <class Void = void>
HEADRACE_INLINE double_pairs look_up_powers(u64x8 exponents, mask8& beyond) noexcept {
  const u64x8 place = exponents - all_qwords(static_cast<std::uint64_t>(min_pair));
  beyond = above(place, all_qwords(max_pair - min_pair));
  alignas(64) std::uint64_t at[8];
  store(at, replace_qwords(place, beyond, u64x8{}));
  const power_pair_table& table = power_pairs<Void>;
  const halves found = load_halves([&](int i) { return table.of + at[i]; });
  return {f64x8(found.first), f64x8(found.second)};
}

// Stores numbers that are rounded already, with the sign bits; returns the lanes that are not certain: none.
HEADRACE_INLINE mask8 store_rounded(f64x8 numbers, u64x8 signs, double* out) noexcept {
  store(out, u64x8(numbers) | signs);
  return 0;
}

// Doubles that are off by less than 2^-51 of them, as floats: two that enclose the number nearly always round to one.
HEADRACE_INLINE mask8 store_rounded(f64x8 numbers, u64x8 signs, float* out) noexcept {
  const u32x8 low = to_floats(multiply(numbers, all_doubles(1 - 0x1p-49)));
  const u32x8 high = to_floats(multiply(numbers, all_doubles(1 + 0x1p-49)));
  // subnormal floats, and what is too great for one, apart
  constexpr std::uint64_t min_normal = std::uint64_t{1023 - 125} << 52, max_normal = std::uint64_t{1023 + 127} << 52;
  const mask8 beyond = above(u64x8(numbers) - all_qwords(min_normal), all_qwords(max_normal - min_normal));
  const mask8 beyond_or_different = beyond | any_difference(low, high);
  store(out, low | narrow(signs >> 32));
  return beyond_or_different & is_nonzero(u64x8(numbers));
}

// Stores w * power with the sign bits, and returns the lanes whose rounding is not certain.
HEADRACE_INLINE mask8 store_products(const double_pairs& w, const double_pairs& power, u64x8 signs,
                                     double* out) noexcept {
  const f64x8 product = multiply(w.upper, power.upper);
  // all that `product` lacks: what it rounded away (FMA has it exactly), and the two smaller products
  const f64x8 lost = multiply_subtract(w.upper, power.upper, product);
  const f64x8 rest = multiply_add(w.lower, power.upper, multiply_add(w.upper, power.lower, lost));
  const f64x8 result = add(product, rest);
  // Ziv's test: the part that `result` rounded away, made a little greater, is still rounded away. The errors of
  // `rest` are below 2^-47 of it wherever it is close to half a unit of `result`.
  const f64x8 rounded_away = subtract(rest, subtract(result, product));
  const f64x8 again = multiply_add(rounded_away, all_doubles(1 + 0x1p-44), result);
  store(out, u64x8(result) | signs);
  return any_difference(u64x8(again), u64x8(result));
}
HEADRACE_INLINE mask8 store_products(const double_pairs& w, const double_pairs& power, u64x8 signs,
                                     float* out) noexcept {
  return store_rounded(multiply(w.upper, power.upper), signs, out);
}

// ---- 1. to 3.: the digits ----

// The last 8 * Width bytes of eight tokens: qword 0 has the last eight of each, qword 1 those before, and so on.
template <unsigned Width>
struct token_bytes {
  u8x64 of[Width];
};

// What a kernel knows of a group of eight tokens before it looks at their text.
struct token_group {
  const char* base;
  const std::uint16_t* edges;
  u64x8 ends;
  u64x8 lengths;
};
HEADRACE_INLINE token_group group_of(const char* base, const std::uint16_t* edges) noexcept {
  const u64x8 pairs = load_eight_tokens(edges);
  const u64x8 ends = pairs >> 16;
  return {base, edges, ends, ends - (pairs & 0xffff)};
}

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

// Up to 16 bytes each, anywhere.
template <unsigned Width>
HEADRACE_INLINE token_bytes<Width> load_distant(const token_group& group) noexcept {
  const char* const base = group.base;
  const std::uint16_t* const edges = group.edges;
  const halves last = load_halves([=](int i) { return base + edges[2 * i + 1] - 16; });
  token_bytes<Width> text;
  text.of[0] = u8x64(last.second);
  if constexpr (Width > 1) text.of[1] = u8x64(last.first);
  return text;
}

// Up to 24 bytes each, anywhere. Of the tokens a to h, each of four qwords:
//     a0 a1 a2 a3 c0 c1 c2 c3     two to a register; the others are b and d, e and g, f and h
//     a1 b1 a3 b3 c1 d1 c3 d3     their odd qwords, and their even ones
//     a3 b3 c3 d3 e3 f3 g3 h3     the last ones
HEADRACE_INLINE token_bytes<3> load_far(const char* base, const std::uint16_t* edges) noexcept {
  const auto load_pair = [=](int i) { return load_two(base + edges[2 * i + 1] - 32, base + edges[2 * i + 5] - 32); };
  const u64x8 a_c = load_pair(0), b_d = load_pair(1), e_g = load_pair(4), f_h = load_pair(5);
  const u64x8 odd_low = unpack_high(a_c, b_d), odd_high = unpack_high(e_g, f_h);
  const u64x8 even_low = unpack_low(a_c, b_d), even_high = unpack_low(e_g, f_h);
  return {{u8x64(pick_lanes<true>(odd_low, odd_high)), u8x64(pick_lanes<true>(even_low, even_high)),
           u8x64(pick_lanes<false>(odd_low, odd_high))}};
}

// Takes the minus in front of some tokens away: their sign bits. They have one byte less then.
template <unsigned Width>
HEADRACE_INLINE u64x8 take_signs(token_bytes<Width>& digits, u8x64 length_bytes, u64x8& lengths) noexcept {
  const u8x64 minus = all_bytes(every_byte('-' - '0' + 256));
  mask64 others = different(digits.of[0], minus);
#pragma GCC unroll 3
  for (unsigned i = 1; i < Width; ++i) others = different_among(others, digits.of[i], minus);
  if (others == ~mask64{0}) return u64x8{};
  u8x64 minuses{};
#pragma GCC unroll 3
  for (unsigned i = 0; i < Width; ++i) {
    const mask64 is_first = equal(length_bytes, all_bytes(0x0102030405060708 + every_byte(8 * i)));
    const mask64 at_front = equal_among(is_first, digits.of[i], minus);
    minuses = replace_bytes(minuses, at_front, minus);
    digits.of[i] = replace_bytes(digits.of[i], at_front, u8x64{});
  }
  const mask8 negative = is_nonzero(u64x8(minuses));
  lengths = add_masked(lengths, negative, all_qwords(~std::uint64_t{0}));
  return keep_qwords(negative, all_qwords(std::uint64_t{1} << 63));
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

// Closes the gap that the point leaves: what is before it moves up by a byte. Returns how many bytes are after it, in
// each byte of a lane, and in `points` the lanes that have one. A second point stays, and is no digit.
//     qword 1    qword 0
//     ......12   3.456789   ->   .......1 23456789
template <unsigned Width>
HEADRACE_INLINE u8x64 take_points(token_bytes<Width>& digits, mask8& points) noexcept {
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
  return places;
}

// The bytes that are no digits, after signs and points were taken away; some of them, where a lane has several.
template <unsigned Width>
HEADRACE_INLINE mask64 find_others(const token_bytes<Width>& digits) noexcept {
  u8x64 largest = digits.of[0];
#pragma GCC unroll 3
  for (unsigned i = 1; i < Width; ++i) largest = maxub(largest, digits.of[i]);
  return above(largest, all_bytes(every_byte(9)));
}

// Joins the digits of each qword: pairs, fours (the first four below the others), eights.
HEADRACE_INLINE u64x8 join_fours(u8x64 digits) noexcept {
  return maddwd(maddubsw(digits, all_bytes(0x010a010a010a010a)), all_bytes(0x0001006400010064));
}
HEADRACE_INLINE u64x8 join_eights(u8x64 digits) noexcept {
  const u64x8 fours = join_fours(digits);
  return muludq(fours, all_qwords(10000)) + (fours >> 32);
}

// The numbers that digits without signs and points are: exactly, but for those that are too long.
template <unsigned Width>
HEADRACE_INLINE double_pairs join_all(const token_bytes<Width>& digits, mask8& too_long) noexcept {
  too_long = 0;
  const f64x8 last = to_doubles(join_eights(digits.of[0]));
  if constexpr (Width == 1) {
    return {last, f64x8{}};
  } else {
    const f64x8 scale = all_doubles(1e8);
    f64x8 first = to_doubles(join_eights(digits.of[1]));
    if constexpr (Width > 2) {
      const u64x8 top = swap_halves(join_fours(digits.of[2]));
      too_long = above(top, all_qwords(999));  // 20 digits or more
      first = multiply_add(to_doubles(top), scale, first);
    }
    const f64x8 sum = multiply_add(first, scale, last);
    return {sum, add(multiply_subtract(first, scale, sum), last)};
  }
}

constexpr std::size_t lanes = 8;
constexpr mask8 all_lanes = 0xff;
using lane_mask = mask8;

// The lanes that have a plus or a letter of exponents, infinities and NaN.
template <unsigned Width>
HEADRACE_INLINE mask8 find_letters(const token_bytes<Width>& digits) noexcept {
  mask64 found = 0;
#pragma GCC unroll 3
  for (unsigned i = 0; i < Width; ++i) {
    const u8x64 small = digits.of[i] | all_bytes(every_byte(0x20));
    for (const char letter : {'e', 'i', 'n', '+'}) {
      found |= equal(small, all_bytes(every_byte(static_cast<unsigned char>((letter - '0') | 0x20))));
    }
  }
  return lanes_of(found);
}

// Eight numbers of the text that was loaded; `exponents` are null where none was looked for. Returns the lanes that are
// left to the exact parser, of which some are certainly `malformed`; all, where there may be exponents after all.
template <unsigned Width, class Float>
HEADRACE_INLINE mask8 convert_text(const token_bytes<Width>& text, u64x8 lengths, const u64x8* exponents, Float* out,
                                   mask8& malformed) noexcept {
  const u8x64 length_bytes = spread_low_byte(lengths);
  token_bytes<Width> digits;
#pragma GCC unroll 3
  for (unsigned i = 0; i < Width; ++i) {
    const mask64 keep = bytes_of_tokens(length_bytes, static_cast<unsigned char>(8 * i));
    digits.of[i] = subb_masked(keep, text.of[i], all_bytes(every_byte('0')));
  }
  const u64x8 signs = take_signs(digits, length_bytes, lengths);
  mask8 points;
  const u64x8 places = u64x8(take_points(digits, points));
  const mask8 empty = is_zero(add_masked(lengths, points, all_qwords(~std::uint64_t{0})));
  const mask64 others = find_others(digits);
  mask8 wrong = 0;
  if (unlikely(others != 0 || empty != 0)) {
    const mask8 letters = find_letters(digits);
    if (exponents == nullptr && letters != 0) return all_lanes;
    wrong = lanes_of(others) | empty;
    malformed = wrong & static_cast<mask8>(~letters);
#pragma GCC unroll 3
    for (unsigned i = 0; i < Width; ++i) digits.of[i] = u8x64(replace_qwords(u64x8(digits.of[i]), wrong, u64x8{}));
  }
  mask8 too_long, beyond = 0;
  const double_pairs w = join_all(digits, too_long);
  if constexpr (Width == 1) {  // both numbers are doubles, so a division rounds once
    return wrong | store_rounded(divide(w.upper, look_up_exact_powers(places)), signs, out);
  } else {
    const double_pairs power = exponents == nullptr ? look_up_small_powers<Width>(places)
                                                    : look_up_powers(*exponents - (places & all_qwords(31)), beyond);
    return wrong | too_long | beyond | store_products(w, power, signs, out);
  }
}

// Eight tokens, of which some have exponents, of up to seven bytes, or are no numbers: cuts the exponents off, reads
// them, and goes on with what is left.
//     -1.25e-17   ->   -1.25, -17
template <class Float>
HEADRACE_INLINE tokens_left convert_any(const char* base, const std::uint16_t* edges, Float* out,
                                        bool& exponents_found) noexcept {
  const token_group group = group_of(base, edges);
  const u8x64 one = all_bytes(every_byte(1));
  // 1. where an e or E is among the last eight bytes of a token
  const u8x64 text = u8x64(load_halves([=](int i) { return base + edges[2 * i + 1] - 16; }).second);
  const mask64 keep = bytes_of_tokens(spread_low_byte(group.lengths), 0);
  const mask64 is_e = keep & equal(text | all_bytes(every_byte(0x20)), all_bytes(every_byte('e')));
  const u64x8 e = u64x8(keep_bytes(is_e, one));
  const mask8 some = is_nonzero(e);
  exponents_found = some != 0;
  const u64x8 size = keep_qwords(some, (lzcntq(e) >> 3) + all_qwords(1));  // of the e and what is after it
  // 2. what is after it: a sign, perhaps, and digits; another e is none
  const u64x8 after = keep_qwords(some, u64x8{} - (e << 8));
  u8x64 digits = (text - all_bytes(every_byte('0'))) & u8x64(after);
  const mask64 is_first = equal(u8x64(e << 8), one);
  const mask64 minus = is_first & equal(digits, all_bytes(every_byte('-' - '0' + 256)));
  const mask64 sign = minus | (is_first & equal(digits, all_bytes(every_byte('+' - '0' + 256))));
  digits = keep_bytes(~sign, digits);
  const mask8 has_sign = is_nonzero(u64x8(keep_bytes(sign, one)));
  const u64x8 min_size = add_masked(all_qwords(2), has_sign, all_qwords(1));
  const mask8 wrong = lanes_of(above(digits, all_bytes(every_byte(9)))) | (some & above(min_size, size));
  digits = u8x64(replace_qwords(u64x8(digits), wrong, u64x8{}));
  const u64x8 exponents = negate_masked(join_eights(digits), is_nonzero(u64x8(keep_bytes(minus, one))));
  // 3. the tokens without it
  const u64x8 lengths = group.lengths - size;
  const mask8 longer = above(lengths, all_qwords(24));  // of which it sees the last bytes only
  const u32x8 pairs = load<u32x8>(edges) - (narrow(size) << 16);
  std::uint16_t shorter[16];
  store(shorter, pairs);
  mask8 malformed = 0;
  const mask8 left = convert_text(load_far(base, shorter), lengths, &exponents, out, malformed);
  return {unsigned{left} | longer | wrong, (malformed & ~unsigned{longer}) | wrong};
}

// Eight tokens without exponents. Returns the lanes that are left to others: all, where one may have an exponent.
template <class Float>
HEADRACE_INLINE mask8 convert_plain(const char* base, const std::uint16_t* edges, Float* out,
                                    mask8& malformed) noexcept {
  const token_group group = group_of(base, edges);
  if (likely(above(group.lengths, all_qwords(16)) == 0)) {
    const bool are_near = static_cast<std::size_t>(edges[15]) - edges[0] <= 128;  // not those of a column
    if (above(group.lengths, all_qwords(8)) == 0) {
      return convert_text(are_near ? load_near<1>(group) : load_distant<1>(group), group.lengths, nullptr, out,
                          malformed);
    }
    return convert_text(are_near ? load_near<2>(group) : load_distant<2>(group), group.lengths, nullptr, out,
                        malformed);
  }
  if (above(group.lengths, all_qwords(24)) != 0) return all_lanes;
  return convert_text<3>(load_far(base, edges), group.lengths, nullptr, out, malformed);
}

#include "generic/convert_floats.hpp"

// Stage 2 for floats; scalar.hpp has the contract.
template <class Float>
std::size_t convert_floats(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                           refusals* refused) noexcept {
  if (count < lanes) return scalar::convert_floats<Float>(base, edges, count, out, refused);
  return convert_groups_of_floats<Float>(base, edges, count, out, refused);
}

}  // namespace avx512
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

HEADRACE_TARGET_END
#endif
