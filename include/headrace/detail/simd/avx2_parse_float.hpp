// headrace/detail/simd/avx2_parse_float.hpp: four decimals at a time to doubles or floats, by AVX2 and FMA. A part of
// avx2_kernel.hpp. The steps are those of avx512_parse_float.hpp, which draws them, but for the value:
//
//     up to 16 bytes      w < 2^53 and 10^places are doubles, so one division rounds once (W. Clinger, 1990)
//     up to 24, exponent  w * 10^e as a sum of two doubles, and Ziv's test
//
// Doubles are computed by one instruction per operation, so the compiler's flags (-ffast-math, -ffp-contract) change no
// bit. These instructions round as the program wishes: convert_floats() asks first.
#pragma once

#include "avx2.hpp"
#include "power_pairs.hpp"

#if defined(__x86_64__)
HEADRACE_TARGET_BEGIN(HEADRACE_AVX2_FEATURES)

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace avx2 {

using f64x4 = double __attribute__((vector_size(32)));
using mask4 = unsigned;  // a bit per lane
constexpr std::size_t lanes = 4;
constexpr mask4 all_lanes = 0xf;
using lane_mask = mask4;

// ---- primitives ----

HEADRACE_INLINE qwords all_qwords(std::uint64_t value) noexcept { return qwords(all_bytes(value)); }
HEADRACE_INLINE f64x4 all_doubles(double value) noexcept {
  f64x4 constant = f64x4{} + value;
  asm("" : "+x"(constant));
  return constant;
}
HEADRACE_INLINE mask4 mask_of_lanes(qwords top_bits) noexcept {
  HEADRACE_ASM(mask4, "=r", "vmovmskpd %1, %0", "x"(top_bits));
}
HEADRACE_INLINE qwords where_zero(qwords a) noexcept { return qwords(a == qwords{}); }
HEADRACE_INLINE qwords where_above(qwords a, std::int64_t limit) noexcept {
  using signed_qwords = std::int64_t __attribute__((vector_size(32)));
  return qwords(signed_qwords(a) > signed_qwords(all_qwords(static_cast<std::uint64_t>(limit))));
}
HEADRACE_INLINE bytes max_unsigned(bytes a, bytes b) noexcept { HEADRACE_TWO(bytes, "vpmaxub", a, b); }
// The top bits of bytes that are above nine.
HEADRACE_INLINE bytes above_nine(bytes a) noexcept { return a | (a + all_bytes(every_byte(0x76))); }
HEADRACE_INLINE bool has_above_nine(bytes a) noexcept { return mask_of_bytes(above_nine(a)) != 0; }
HEADRACE_INLINE qwords where_above_nine(bytes a) noexcept {
  return ~where_zero(qwords(above_nine(a)) & all_qwords(every_byte(0x80)));
}
// How many bytes of each qword are 1, where the others are 0.
HEADRACE_INLINE qwords count_ones(qwords a) noexcept { HEADRACE_TWO(qwords, "vpsadbw", a, qwords{}); }
HEADRACE_INLINE qwords select(qwords mask, qwords yes, qwords no) noexcept { return (yes & mask) | (no & ~mask); }
HEADRACE_INLINE f64x4 subtract(f64x4 a, f64x4 b) noexcept { HEADRACE_TWO(f64x4, "vsubpd", a, b); }
HEADRACE_INLINE f64x4 add(f64x4 a, f64x4 b) noexcept { HEADRACE_TWO(f64x4, "vaddpd", a, b); }
HEADRACE_INLINE f64x4 multiply(f64x4 a, f64x4 b) noexcept { HEADRACE_TWO(f64x4, "vmulpd", a, b); }
HEADRACE_INLINE f64x4 divide(f64x4 a, f64x4 b) noexcept { HEADRACE_TWO(f64x4, "vdivpd", a, b); }
HEADRACE_INLINE f64x4 multiply_add(f64x4 a, f64x4 b, f64x4 addend) noexcept {
  HEADRACE_INTO(addend, "vfmadd231pd %2, %1, %0", "x"(a), "x"(b));
}
HEADRACE_INLINE f64x4 multiply_subtract(f64x4 a, f64x4 b, f64x4 subtrahend) noexcept {
  HEADRACE_INTO(subtrahend, "vfmsub231pd %2, %1, %0", "x"(a), "x"(b));
}
// Whole numbers below 2^52: as the fraction of 2^52 + a.
HEADRACE_INLINE f64x4 to_doubles(qwords a) noexcept {
  const qwords magic = all_qwords(std::uint64_t{1023 + 52} << 52);
  return subtract(f64x4(a | magic), f64x4(magic));
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

// ---- the value ----

// 10^0 to 10^15, exactly. Up to 10^9 the lower half of a double is zero, so a permutation of dwords looks eight up.
HEADRACE_INLINE f64x4 exact_powers(qwords exponents) noexcept {
  constexpr dwords upper = {0x3ff00000, 0x40240000, 0x40590000, 0x408f4000,
                            0x40c38800, 0x40f86a00, 0x412e8480, 0x416312d0};
  qwords found;
  asm("vpermd %2, %1, %0" : "=x"(found) : "x"(qwords(exponents)), "x"(upper));
  return f64x4(found << 32);
}
HEADRACE_INLINE f64x4 exact_powers_to_15(qwords exponents) noexcept {
  const qwords from_8 = where_above(exponents, 7);
  const f64x4 factor = f64x4(select(from_8, qwords(all_doubles(1e8)), qwords(all_doubles(1))));
  return multiply(exact_powers(exponents), factor);  // a permutation takes three bits of an index
}

// Digits as a number: upper * 10^8 + lower.
struct joined_digits {
  qwords upper;
  qwords lower;
};

// Stores results with the sign bits, and returns the lanes whose rounding is not certain.
HEADRACE_INLINE mask4 store_results(f64x4 results, qwords signs, double* out) noexcept {
  const qwords bits = qwords(results) | signs;
  __builtin_memcpy(out, &bits, sizeof bits);
  return 0;
}
// A double that is not half-way between two floats is rounded as the number itself would be. (One that is may come from
// a number next to it.)
HEADRACE_INLINE mask4 store_results(f64x4 results, qwords signs, float* out) noexcept {
  const qwords bits = qwords(results);
  constexpr std::uint64_t min_normal = std::uint64_t{1023 - 126} << 52, max_normal = std::uint64_t{1023 + 127} << 52;
  const qwords tie = where_zero((bits & all_qwords(0x1fffffff)) - all_qwords(0x10000000));
  const qwords beyond = where_above(bits, static_cast<std::int64_t>(max_normal - 1)) |
                        ~where_above(bits, static_cast<std::int64_t>(min_normal - 1));
  const f64x4 with_signs = f64x4(bits | signs);
  float narrow __attribute__((vector_size(16)));
  asm("vcvtpd2psy %1, %0" : "=x"(narrow) : "x"(with_signs));
  __builtin_memcpy(out, &narrow, sizeof narrow);
  return mask_of_lanes((tie | beyond) & ~where_zero(bits));
}

// w / 10^places of up to 15 places, where w is below 2^53.
template <unsigned Width, class Float>
HEADRACE_INLINE mask4 store_quotients(const joined_digits& w, qwords places, qwords signs, Float* out) noexcept {
  if constexpr (Width == 1) return store_results(divide(to_doubles(w.lower), exact_powers(places)), signs, out);
  const f64x4 whole = add(multiply(to_doubles(w.upper), all_doubles(1e8)), to_doubles(w.lower));
  const qwords too_long = where_above(w.upper, (std::int64_t{1} << 53) / 100000000 - 1);
  return mask_of_lanes(too_long) | store_results(divide(whole, exact_powers_to_15(places)), signs, out);
}

// w * 10^exponent; avx512_parse_float.hpp explains each step.
template <class Float>
HEADRACE_INLINE mask4 store_products(const joined_digits& w, qwords exponents, qwords signs, Float* out) noexcept {
  const qwords place = exponents - all_qwords(static_cast<std::uint64_t>(min_pair));
  const qwords beyond = where_above(place, max_pair - min_pair) | where_above(qwords{} - place, 0);
  const qwords at = place & ~beyond;
  const power_pair_table& table = power_pairs<>;
  const halves found = load_halves([&](int i) { return table.of + at[i]; });
  const f64x4 power1 = f64x4(found.first), power0 = f64x4(found.second);
  // w = w1 + w0, both exact
  const f64x4 upper = to_doubles(w.upper), lower = to_doubles(w.lower), scale = all_doubles(1e8);
  const f64x4 w1 = multiply_add(upper, scale, lower);
  const f64x4 w0 = add(multiply_subtract(upper, scale, w1), lower);
  const f64x4 product = multiply(w1, power1);
  const f64x4 lost = multiply_subtract(w1, power1, product);
  const f64x4 rest = multiply_add(w0, power1, multiply_add(w1, power0, lost));
  const f64x4 result = add(product, rest);
  const f64x4 rounded_away = subtract(rest, subtract(result, product));
  const f64x4 again = multiply_add(rounded_away, all_doubles(1 + 0x1p-44), result);
  const qwords unsure = ~where_zero(qwords(again) - qwords(result)) | beyond;
  return mask_of_lanes(unsure) | store_results(result, signs, out);
}

// ---- the digits ----

// The last 8 * Width bytes of four tokens: qword 0 has the last eight of each, qword 1 those before, and so on.
template <unsigned Width>
struct token_bytes {
  bytes of[Width];
};
// Those before four ends.
template <unsigned Width, class End>
HEADRACE_INLINE token_bytes<Width> load_tokens(const char* base, End end) noexcept {
  token_bytes<Width> text;
  if constexpr (Width == 1) {
    const char* const from = base - 8;
    text.of[0] = bytes(qwords{load_eight(from + end(0)), load_eight(from + end(1)), load_eight(from + end(2)),
                              load_eight(from + end(3))});
  } else {
    const halves last = load_halves([=](int i) { return base - 16 + end(i); });
    text.of[0] = bytes(last.second);
    text.of[1] = bytes(last.first);
    if constexpr (Width > 2) text.of[2] = bytes(load_halves([=](int i) { return base - 32 + end(i); }).second);
  }
  return text;
}

// Takes the minus in front of some tokens away, and returns all bits of their lanes.
template <unsigned Width>
HEADRACE_INLINE qwords take_signs(token_bytes<Width>& digits, bytes length_of_byte) noexcept {
  const bytes minus = all_bytes(every_byte('-' - '0' + 256));
  bytes found{};
#pragma GCC unroll 3
  for (unsigned i = 0; i < Width; ++i) {
    const bytes is_first = bytes(length_of_byte == all_bytes(0x0102030405060708 + every_byte(8 * i)));
    const bytes at_front = bytes(digits.of[i] == minus) & is_first;
    found |= at_front;
    digits.of[i] &= ~at_front;
  }
  return ~where_zero(qwords(found));
}

// Closes the gap that the point leaves. Returns how many bytes are after it, and in `none` all bits of the lanes
// without one.
template <unsigned Width>
HEADRACE_INLINE qwords take_points(token_bytes<Width>& digits, qwords& none) noexcept {
  const bytes point = all_bytes(every_byte('.' - '0' + 256));
  const qwords one = all_qwords(every_byte(1));
  qwords after{}, blocks_after{};
#pragma GCC unroll 3
  for (unsigned i = 0; i < Width; ++i) {
    const qwords qword = qwords(digits.of[i]);
    qwords found = qwords(digits.of[i] == point) & one;
    if (i > 0) found &= none;
    const qwords not_here = where_zero(found), above = qwords{} - (found << 8);
    after |= above & one;
    blocks_after |= ~not_here & (8 * i);
    none = i == 0 ? not_here : none & not_here;
    const qwords before = i + 1 < Width ? qwords(digits.of[i + 1 < Width ? i + 1 : i]) >> 56 : qwords{};
    digits.of[i] = bytes(select(above | none, qword, (qword << 8) | before));
  }
  return count_ones(after) + blocks_after;
}

HEADRACE_INLINE qwords join(bytes digits) noexcept {
  const qwords fours = qwords(join_fours(digits));
  return multiply(fours, 10000) + (fours >> 32);
}

// All bits of the lanes that have a plus or a letter of exponents, infinities and NaN.
template <unsigned Width>
HEADRACE_INLINE qwords find_letters(const token_bytes<Width>& digits) noexcept {
  bytes found{};
#pragma GCC unroll 3
  for (unsigned i = 0; i < Width; ++i) {
    const bytes small = digits.of[i] | all_bytes(every_byte(0x20));
    for (const char letter : {'e', 'i', 'n', '+'}) {
      found |= bytes(small == all_bytes(every_byte(static_cast<unsigned char>((letter - '0') | 0x20))));
    }
  }
  return ~where_zero(qwords(found));
}

// Four numbers of the text that was loaded; `exponents` are null where none was looked for. Returns the lanes that are
// left to the exact parser, of which some are certainly `malformed`; all, where there may be exponents after all.
template <unsigned Width, class Float>
HEADRACE_INLINE mask4 convert_text(const token_bytes<Width>& text, qwords lengths, const qwords* exponents, Float* out,
                                   mask4& malformed) noexcept {
  const bytes length_of_byte = lookup(bytes(lengths), in_each_lane(0, every_byte(8)));
  token_bytes<Width> digits;
#pragma GCC unroll 3
  for (unsigned i = 0; i < Width; ++i) {
    const bytes keep =
        bytes(signed_bytes(length_of_byte) > signed_bytes(all_bytes(0x0001020304050607 + every_byte(8 * i))));
    digits.of[i] = (text.of[i] - all_bytes(every_byte('0'))) & keep;
  }
  const qwords negative = take_signs(digits, length_of_byte);
  qwords no_point;
  const qwords places = take_points(digits, no_point);
  const qwords empty = where_zero(lengths + negative + ~no_point);
  bytes largest = digits.of[0];
#pragma GCC unroll 3
  for (unsigned i = 1; i < Width; ++i) largest = max_unsigned(largest, digits.of[i]);
  mask4 left = 0;
  if (unlikely(has_above_nine(largest | bytes(empty)))) {
    const qwords letters = find_letters(digits);
    if (exponents == nullptr && mask_of_lanes(letters) != 0) return all_lanes;
    const qwords wrong = where_above_nine(largest | bytes(empty));
    left = mask_of_lanes(wrong);
    malformed = mask_of_lanes(wrong & ~letters);
#pragma GCC unroll 3
    for (unsigned i = 0; i < Width; ++i) digits.of[i] &= ~bytes(wrong);
  }

  joined_digits w{{}, join(digits.of[0])};
  if constexpr (Width > 1) w.upper = join(digits.of[1]);
  if constexpr (Width > 2) {
    const qwords top = join(digits.of[2]);
    left |= mask_of_lanes(where_above(top, 999));  // 20 digits or more
    w.upper += multiply(top, 100000000);
  }
  const qwords signs = negative << 63;
  if (Width == 3) return left | store_products(w, (exponents == nullptr ? qwords{} : *exponents) - places, signs, out);
  if (exponents != nullptr) return left | store_products(w, *exponents - places, signs, out);
  return left | store_quotients<Width>(w, places, signs, out);
}

// Four tokens, of which some have exponents, of up to seven bytes, or are no numbers: cuts the exponents off, reads
// them, and goes on with what is left.
//     -1.25e-17   ->   -1.25, -17
template <class Float>
HEADRACE_INLINE tokens_left convert_any(const char* base, const std::uint16_t* edges, Float* out,
                                        bool& exponents_found) noexcept {
  const qwords pairs = load_four_tokens(edges), ends = pairs >> 16, lengths = ends - (pairs & 0xffff);
  const qwords one = all_qwords(every_byte(1));
  // 1. where an e or E is among the last eight bytes of a token
  const bytes text = load_tokens<1>(base, [=](int i) { return edges[2 * i + 1]; }).of[0];
  const bytes length_of_byte = lookup(bytes(lengths), in_each_lane(0, every_byte(8)));
  const bytes keep = bytes(signed_bytes(length_of_byte) > signed_bytes(all_bytes(0x0001020304050607)));
  const qwords e = qwords((text | all_bytes(every_byte(0x20))) == all_bytes(every_byte('e'))) & qwords(keep) & one;
  const qwords some = ~where_zero(e);
  exponents_found = mask_of_lanes(some) != 0;
  // 2. what is after it: a sign, perhaps, and digits; another e is none
  const qwords after = qwords{} - (e << 8);
  const qwords digit_count = count_ones(after & one), size = (digit_count + 1) & some;
  bytes digits = (text - all_bytes(every_byte('0'))) & bytes(after);
  const bytes first = bytes(bytes(e << 8) == bytes(one));
  const bytes minus = first & bytes(digits == all_bytes(every_byte('-' - '0' + 256)));
  const bytes sign = minus | (first & bytes(digits == all_bytes(every_byte('+' - '0' + 256))));
  digits &= ~sign;
  const qwords has_sign = ~where_zero(qwords(sign)), negative = ~where_zero(qwords(minus));
  const qwords empty = where_zero(digit_count + has_sign) & some;
  const qwords wrong = where_above_nine(digits | bytes(empty));
  digits &= ~bytes(wrong);
  const qwords exponents = (join(digits) ^ negative) - negative;
  // 3. the tokens without it
  const qwords shorter = lengths - size, end = ends - size;
  const auto end_of = [&](int i) { return end[i]; };
  mask4 malformed = 0;
  const mask4 left = mask_of_lanes(where_above(shorter, 16)) == 0
                         ? convert_text(load_tokens<2>(base, end_of), shorter, &exponents, out, malformed)
                         : convert_text(load_tokens<3>(base, end_of), shorter, &exponents, out, malformed);
  const mask4 longer = mask_of_lanes(where_above(shorter, 24));  // of which it sees the last bytes only
  return {left | longer | mask_of_lanes(wrong), (malformed & ~longer) | mask_of_lanes(wrong)};
}

// Four tokens without exponents. Returns the lanes that are left to others: all, where one may have an exponent.
template <class Float>
HEADRACE_INLINE mask4 convert_plain(const char* base, const std::uint16_t* edges, Float* out,
                                    mask4& malformed) noexcept {
  const qwords pairs = load_four_tokens(edges), lengths = (pairs >> 16) - (pairs & 0xffff);
  const auto end_of = [=](int i) { return edges[2 * i + 1]; };
  if (mask_of_lanes(where_above(lengths, 8)) == 0) {
    return convert_text(load_tokens<1>(base, end_of), lengths, nullptr, out, malformed);
  }
  if (mask_of_lanes(where_above(lengths, 16)) == 0) {
    return convert_text(load_tokens<2>(base, end_of), lengths, nullptr, out, malformed);
  }
  if (mask_of_lanes(where_above(lengths, 24)) != 0) return all_lanes;
  return convert_text(load_tokens<3>(base, end_of), lengths, nullptr, out, malformed);
}

#include "generic/convert_floats.hpp"

// Stage 2 for floats; scalar.hpp has the contract.
template <class Float>
std::size_t convert_floats(const char* base, const std::uint16_t* edges, std::size_t count, char* out,
                           refusals* refused) noexcept {
  if (count < lanes || !rounds_to_nearest<true>())
    return scalar::convert_floats<Float>(base, edges, count, out, refused);
  return convert_groups_of_floats<Float>(base, edges, count, out, refused);
}

}  // namespace avx2
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

HEADRACE_TARGET_END
#endif
