// headrace/detail/format_float.hpp: floating point to text. Not for users: ../format.hpp says what is written.
//
// The fast path multiplies once by a power of ten of 128 bits and decides between the candidates on a fraction of
// 64 bits, as the "yy", "zmij" and "xjb" algorithms do (Yaoyuan Guo, 2020-2025; Victor Zverovich, 2025; Xiang JunBo,
// 2025), without branches on the digits. Where 64 bits are too close to call, and at powers of two, it is Schubfach
// (Raffaello Giulietti, "The Schubfach way to render doubles", 2020). long double, and digits asked for by number, go
// through big integers where need be (Robert Burger, Kent Dybvig, "Printing floating-point numbers quickly and
// accurately", 1996).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../config.hpp"
#include "../format.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {

namespace detail {

// The bytes that the fast paths touch, from where the text begins.
inline constexpr std::size_t float_room = 64;

// Bits for the big integers of a Float: enough for its largest and its smallest value, and a few more.
template <class Float>
constexpr int bits_of = sizeof(Float) <= 8 ? 1216 : 16704;

// Room needed: float_room.
template <class Float>
char* write_float(char* to, Float number) noexcept;

// A template, so that only a program that writes floating point compiles any of it.
template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
HEADRACE_INLINE char* write_short(char* to, Float value) noexcept {
  if constexpr (__LDBL_MANT_DIG__ == 53 && sizeof(Float) == sizeof(double)) {
    return write_float(to, static_cast<double>(value));  // long double is double
  } else {
    return write_float(to, value);
  }
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END

#if HEADRACE_COMPILED != 1

#include "exact_digits.hpp"
#include "format_float_quick.hpp"
#include "format_float_rounded.hpp"
#include "powers.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {

namespace detail {

// The layout of a float with `fraction` bits after an implied one.
constexpr HEADRACE_INLINE binary_float take_apart(std::uint64_t sign, unsigned biased, std::uint64_t high,
                                                  std::uint64_t low, int fraction, unsigned max_biased) {
  const bool no_fraction = (high | low) == 0;
  const auto kind = biased < max_biased ? binary_float::finite
                    : no_fraction       ? binary_float::infinite
                                        : binary_float::not_a_number;
  if (biased != 0) (fraction < 64 ? low : high) |= std::uint64_t{1} << (fraction & 63);
  const int exponent = static_cast<int>(biased + (biased == 0)) - static_cast<int>(max_biased / 2) - fraction;
  return {low, high, exponent, sign != 0, no_fraction && biased > 1, kind};
}

template <class Float>
HEADRACE_INLINE binary_float take_apart(Float value) noexcept {
  using format = written_format<Float>;
  constexpr int fraction = format::digits - 1;
  typename format::bits bits;
  static_assert(
      sizeof bits == sizeof value && (sizeof value == 4 ? __FLT_MANT_DIG__ : __DBL_MANT_DIG__) == fraction + 1,
      "float is IEEE binary32 and double IEEE binary64");
  __builtin_memcpy(&bits, &value, sizeof bits);
  const auto biased = static_cast<unsigned>(bits >> fraction) & format::max_biased;
  return take_apart(bits >> (8 * sizeof bits - 1), biased, 0, bits & ((std::uint64_t{1} << fraction) - 1), fraction,
                    format::max_biased);
}

inline binary_float take_apart(long double value) noexcept {
  if constexpr (__LDBL_MANT_DIG__ == 53) {
    return take_apart(static_cast<double>(value));
  } else {
    static_assert(__LDBL_MANT_DIG__ == 53 || __LDBL_MANT_DIG__ == 64 || __LDBL_MANT_DIG__ == 113,
                  "long double is IEEE binary64, the x87's extended format or IEEE binary128");
    constexpr bool is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    std::uint64_t low, high = 0;
    __builtin_memcpy(&low, reinterpret_cast<const char*>(&value) + (is_big ? 8 : 0), 8);
    __builtin_memcpy(&high, reinterpret_cast<const char*>(&value) + (is_big ? 0 : 8), __LDBL_MANT_DIG__ == 64 ? 2 : 8);
    const std::uint64_t top = __LDBL_MANT_DIG__ == 64 ? high : high >> 48;
    const auto biased = static_cast<unsigned>(top & 0x7fff);
    if (__LDBL_MANT_DIG__ == 64) {  // the leading one is stored: drop it, take_apart() adds it again
      return take_apart(top >> 15, biased, 0, low & 0x7fffffffffffffff, 63, 0x7fff);
    }
    return take_apart(top >> 15, biased, high & 0xffffffffffff, low, 112, 0x7fff);
  }
}

// digits * 10^exponent
struct decimal_float {
  std::uint64_t digits;
  int exponent;
};

// 5^q as in powers.hpp, rounded up.
HEADRACE_INLINE uint64_pair power_of_five_above(int q) noexcept {
  uint64_pair power = power_of_five(q);
  power.low += q < 0 || q > max_exact_power;
  return power;
}

// Schubfach's "rop": floor(power * factor / 2^128), its lowest bit set if anything was cut off.
inline std::uint64_t round_to_odd(uint64_pair power, std::uint64_t factor) noexcept {
  const std::uint64_t carried = multiply_64(power.low, factor).high;
  const uint64_pair product = multiply_64(power.high, factor);
  const std::uint64_t low = product.low + carried;
  // `power` may be 1 too great, which shows as a 1 here where the product was exact
  return (product.high + (low < carried)) | (low > 1);
}

// Schubfach: exact for every significand below 2^57. Everything is counted in quarters, so that the value and the
// two ends of its rounding interval are whole numbers.
HEADRACE_COLD inline decimal_float shortest_exact(std::uint64_t significand, int exponent,
                                                  bool lower_boundary_is_closer) noexcept {
  const int k = lower_boundary_is_closer ? (exponent * 1262611 - 524031) >> 22  // floor(log10(3/4 * 2^exponent))
                                         : floor_log10_power_of_two(exponent);
  const int shift = exponent + floor_log2_power_of_ten(-k) + 1;
  const uint64_pair power = power_of_five_above(-k);
  const std::uint64_t open = significand & 1;  // an odd significand loses its ends to its neighbours
  const std::uint64_t value = round_to_odd(power, significand * 4 << shift);
  const std::uint64_t below =
      round_to_odd(power, (significand * 4 - (lower_boundary_is_closer ? 1 : 2)) << shift) + open;
  const std::uint64_t above = round_to_odd(power, (significand * 4 + 2) << shift) - open;
  const std::uint64_t whole = value / 4;
  // 1. a multiple of ten inside the interval is one digit shorter; there is at most one
  const std::uint64_t tens = whole / 10;
  const bool ten_below = below <= tens * 40;
  const bool ten_above = tens * 40 + 40 <= above;
  if (ten_below != ten_above) return {tens * 10 + (ten_above ? 10 : 0), k};
  // 2. else the whole number that is inside; of two, the nearer; of two as near, the even one
  const bool whole_below = below <= whole * 4;
  const bool whole_above = whole * 4 + 4 <= above;
  if (whole_below != whole_above) return {whole + whole_above, k};
  const std::uint64_t middle = whole * 4 + 2;
  return {whole + (value > middle || (value == middle && (whole & 1) != 0)), k};
}

// 'e', a sign, at least two digits; |exponent| < 10000.
inline char* write_exponent(char* to, int exponent) noexcept {
  to[0] = 'e';
  to[1] = exponent < 0 ? '-' : '+';
  to += 2;
  const auto size = static_cast<std::uint32_t>(exponent < 0 ? -exponent : exponent);
  if (size >= 1000) return write_unsigned(to, size);
  const char* digits = three_digits + 4 * size;
  __builtin_memcpy(to, digits + (size < 100), 3);
  return to + (size < 100 ? 2 : 3);
}

inline char* write_special(char* to, const binary_float& value) noexcept {
  if (value.kind == binary_float::not_a_number) {
    __builtin_memcpy(to, "nan", 3);
    return to + 3;
  }
  __builtin_memcpy(to, value.negative ? "-inf" : "inf", 4);
  return to + 3 + value.negative;
}

// Appends to [to, last) until it is full.
struct bounded_text {
  char* to;
  char* last;
  bool fits = true;

  bool has_room(int size) noexcept { return fits = fits && last - to >= size; }
  void append(const char* from, int size) noexcept {
    if (!has_room(size)) return;
    __builtin_memcpy(to, from, static_cast<std::size_t>(size));
    to += size;
  }
  void zeros(int size) noexcept {
    if (!has_room(size)) return;
    __builtin_memset(to, '0', static_cast<std::size_t>(size));
    to += size;
  }
  // Digits of which `have` exist, zeros after them up to `wanted`.
  void digits(const char* from, int have, int wanted) noexcept {
    have = have < 0 ? 0 : have < wanted ? have : wanted;
    append(from, have);
    zeros(wanted - have);
  }
};

// Any format, through big integers. Room needed: float_room.
template <class Float>
char* write_float_exactly(char* to, const binary_float& value) noexcept {
  *to = '-';
  if (value.kind != binary_float::finite) return write_special(to, value);
  to += value.negative;
  *to = '0';
  if (value.is_zero()) return to + 1;
  char text[40];
  const digit_text digits = shortest_digits<bits_of<Float>>(value, text);
  const bool is_scientific = digits.point > 16 || digits.point <= -4;
  const int whole = is_scientific ? 1 : digits.point;
  bounded_text out{to, to + float_room};
  if (whole <= 0) {
    out.append("0.", 2);
    out.zeros(-whole);
    out.append(text, digits.size);
  } else {
    out.digits(text, digits.size, whole);
    if (digits.size > whole) {
      out.append(".", 1);
      out.append(text + whole, digits.size - whole);
    }
  }
  return is_scientific ? write_exponent(out.to, digits.point - 1) : out.to;
}

// Writes what write_quickly() leaves: subnormal numbers, infinity, what is no number, and what is close to call. The
// sign is written.
template <class Float>
HEADRACE_COLD char* write_rare_float(char* to, Float number) noexcept {
  const binary_float value = take_apart(number);
  if (value.kind != binary_float::finite) return write_special(to - value.negative, value);
  decimal_float decimal = shortest_exact(value.low, value.exponent, value.lower_boundary_is_closer);
  while (decimal.digits < powers_of_ten[16]) decimal = {decimal.digits * 10, decimal.exponent - 1};  // seventeen digits
  return write_decimal(to, decimal.digits / 10, decimal.digits % 10, 1, decimal.exponent + 17 + 3);
}

template <class Float>
char* write_float(char* to, Float number) noexcept {
  if constexpr (sizeof(Float) > 8) {
    return write_float_exactly<Float>(to, take_apart(number));
  } else {
    using layout = written_format<Float>;
    constexpr int fraction_bits = layout::digits - 1;
    constexpr std::uint64_t implied = std::uint64_t{1} << fraction_bits;
    typename layout::bits bits;
    __builtin_memcpy(&bits, &number, sizeof bits);
    *to = '-';
    to += bits >> (8 * sizeof(Float) - 1);
    const std::uint64_t c = (bits & (implied - 1)) | implied;
    const std::size_t biased = bits >> fraction_bits & layout::max_biased;
    // whole numbers below 2^digits are their own shortest texts: so many bits of c are after the point
    const std::size_t places = layout::max_biased / 2 + fraction_bits - biased;
    std::uint64_t zeros = 0;  // at the end of c
#if defined(__x86_64__) && defined(__clang__) && __clang_major__ < 15
    // it would write a `bsf` to any register, and the processor would wait for what that held: the last number's end
    asm("rep bsfq %1, %0" : "+r"(zeros) : "r"(c));
#else
    zeros += static_cast<unsigned>(__builtin_ctzll(c));
#endif
    if (zeros >= places) return write_unsigned(to, c >> places);
    if (bits << 1 == 0) return write_short(to, '0');
    char* const end = write_quickly<Float>(to, c, biased);
    return likely(end != nullptr) ? end : write_rare_float(to, number);
  }
}

template <class Float>
format_result format_shortest(char* first, char* last, Float value) noexcept {
  if (likely(static_cast<std::size_t>(last - first) >= float_room)) return {write_short(first, value), std::errc{}};
  char text[float_room];
  return copy_out(first, last, text, static_cast<std::size_t>(write_short(text, value) - text));
}

inline void append_fixed_quickly(bounded_text& text, std::uint64_t scaled, int precision) noexcept {
  char digits[20 + 20 + write_padding];
  __builtin_memset(digits, '0', 20);
  char* const end = write_unsigned(digits + 20, scaled);
  const int size = static_cast<int>(end - (digits + 20));
  const int whole = size > precision ? size - precision : 1;
  const char* const begin = end - precision - whole;
  text.append(begin, whole);
  if (precision > 0) {
    text.append(".", 1);
    text.append(begin + whole, precision);
  }
}

template <int Bits>
void append_fixed(bounded_text& text, const binary_float& value, int precision) noexcept {
  char buffer[std::size_t{Bits} * 31 / 100 + Bits + 40];
  char* digits = buffer + 1;
  buffer[0] = '0';
  digit_stream<Bits> stream(value, digits);
  int whole = stream.size();
  const int keep = precision < Bits ? whole + precision : whole + Bits;
  while (stream.size() <= keep && !stream.is_exact()) stream.append_nine();
  int have = stream.size();
  if (round_digits(digits, have, keep, !stream.is_exact())) {
    --digits;
    ++whole;
    ++have;
  }
  text.append(whole == 0 ? "0" : digits, whole == 0 ? 1 : whole);
  if (precision == 0) return;
  text.append(".", 1);
  text.digits(digits + whole, (have < keep + 1 ? have : keep + 1) - whole, precision);
}

template <int Bits>
void append_scientific(bounded_text& text, const binary_float& value, int precision) noexcept {
  char buffer[std::size_t{Bits} * 31 / 100 + 2 * Bits + 40];
  char* digits = buffer + 1;
  buffer[0] = '0';
  digit_stream<Bits> stream(value, digits);
  const int whole = stream.size();
  const int wanted = precision < Bits ? precision + 1 : Bits;
  int zeros = 0;
  while (!stream.is_exact() && (zeros == stream.size() || stream.size() - zeros <= wanted)) {
    stream.append_nine();
    while (zeros < stream.size() && digits[zeros] == '0') ++zeros;
  }
  int exponent = value.is_zero() ? 0 : whole - zeros - 1;
  digits += zeros;
  const int have = stream.size() - zeros;
  if (round_digits(digits, have, wanted, !stream.is_exact())) {
    --digits;
    ++exponent;
  }
  text.append(value.is_zero() ? "0" : digits, 1);
  if (precision > 0) {
    text.append(".", 1);
    text.digits(digits + 1, (have < wanted ? have : wanted) - 1, precision);
  }
  char end[12 + write_padding];  // of any exponent that the compiler can think of
  text.append(end, static_cast<int>(write_exponent(end, exponent) - end));
}

}  // namespace detail

template <class Float>
format_result format(char* first, char* last, Float value, float_style style, int precision) noexcept {
  static_assert(detail::is_float<Float>, "headrace::format takes a style with floating point only");
  if (precision < 0) return {first, std::errc::invalid_argument};
  const detail::binary_float parts = detail::take_apart(value);
  if (detail::likely(static_cast<std::size_t>(last - first) >= detail::float_room)) {
    char* const end = detail::write_rounded(first, parts, style == float_style::scientific, precision);
    if (detail::likely(end != nullptr)) return {end, std::errc{}};
  }
  detail::bounded_text text{first, last};
  if (parts.kind != detail::binary_float::finite) {
    char special[4] = {'-'};
    return detail::copy_out(first, last, special,
                            static_cast<std::size_t>(detail::write_special(special, parts) - special));
  }
  if (parts.negative) text.append("-", 1);
  std::uint64_t scaled;
  if (style == float_style::scientific) {
    detail::append_scientific<detail::bits_of<Float>>(text, parts, precision);
  } else if (detail::scale_exactly(parts, precision, scaled)) {
    detail::append_fixed_quickly(text, scaled, precision);
  } else {
    detail::append_fixed<detail::bits_of<Float>>(text, parts, precision);
  }
  if (!text.fits) return {last, std::errc::value_too_large};
  return {text.to, std::errc{}};
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END

#endif
