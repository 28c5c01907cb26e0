// headrace/detail/format_float_quick.hpp: nearly every float and double to its shortest text, one at a time and without
// branches on its digits. Not for users: format_float.hpp says whose algorithms these are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../config.hpp"
#include "powers.hpp"
#include "write_digits.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

constexpr HEADRACE_INLINE int floor_log10_power_of_two(int q) noexcept { return (q * 1262611) >> 22; }

// A number is c * 2^q, with c of `digits` bits, the first of them 1. `whole_digits`: so many decimal digits, or one
// more, has c times a factor as below; of a float now and then one fewer.
template <class Float>
struct written_format;
template <>
struct written_format<double> {
  using bits = std::uint64_t;
  static constexpr int digits = 53, max_biased = 0x7ff, least_exponent = -1074, whole_digits = 15;
};
template <>
struct written_format<float> {
  using bits = std::uint32_t;
  static constexpr int digits = 24, max_biased = 0xff, least_exponent = -149, whole_digits = 7;
};

// For c * 2^q, and k with 10^k <= 2^q < 10^(k + 1): 2^q * 10^(-k-1), which is in [0.1, 1), as a fraction of 128 bits,
// cut off. So the whole part of c * factor has `whole_digits` digits or one more, and is a digit shorter than what
// always tells c from its neighbours (Schubfach's shorter candidates), while the next digit is in the fraction. The
// lowest 16 bits are something else: where the point is in a whole part of `whole_digits` digits, plus 3.
struct alignas(16) decimal_factor {
  std::uint64_t low;
  std::uint64_t high;
  constexpr int point_and_3() const noexcept { return static_cast<std::int16_t>(low & 0xffff); }
};

// By biased exponent. 0 for what has no leading 1 (zero and subnormal numbers) and for what is no number: the callers
// find that too close to call.
template <class Float>
struct factor_table {
  using format = written_format<Float>;
  decimal_factor of[format::max_biased + 1]{};
  constexpr factor_table() noexcept {
    for (int biased = 1; biased < format::max_biased; ++biased) {
      const int q = biased - 1 + format::least_exponent, k = floor_log10_power_of_two(q);
      const uint64_pair power = power_of_five(-k - 1);
      const int shift = -(q + floor_log2_power_of_ten(-k - 1) + 1);  // 0 to 3
      const std::uint64_t low = shift == 0 ? power.low : power.low >> shift | power.high << (64 - shift);
      const int point = k + 1 + format::whole_digits;
      of[biased] = {(low & ~std::uint64_t{0xffff}) | static_cast<std::uint16_t>(point + 3), power.high >> shift};
    }
  }
};
template <class Float>  // of a template, so that only what is used is worked out
inline constexpr factor_table<Float> factors;

// 1 where a < b; both are below 2^63. A comparison instead may become a branch that is as good as random, or a set byte
// in a register that still waits for the last number.
constexpr HEADRACE_INLINE std::uint64_t is_less(std::uint64_t a, std::uint64_t b) noexcept { return (a - b) >> 63; }

// How a number of up to 17 digits is laid out, for each place of the point from -3 to 16.
struct alignas(64) point_row {
  unsigned char before[16];  // 0xff for each of the sixteen digits that is before the point
  unsigned char start;       // where the first digit is: after the zeros of 0.00123
  unsigned char point;
  unsigned char last;     // the seventeenth digit
  unsigned char end[18];  // by the number of digits
};
struct point_table {
  point_row rows[20]{};
  constexpr point_table() noexcept {
    for (int at = -3; at <= 16; ++at) {
      point_row& row = rows[at + 3];
      for (int i = 0; i < 16; ++i) row.before[i] = at <= 0 || i < at ? 0xff : 0;
      row.start = static_cast<unsigned char>(at <= 0 ? 2 - at : 0);
      row.point = static_cast<unsigned char>(at <= 0 ? 1 : at);
      row.last = static_cast<unsigned char>(row.start + (at <= 0 ? 16 : 17));
      for (int digits = 1; digits <= 17; ++digits) {
        const int end = at <= 0 ? row.start + digits : digits > at ? digits + 1 : at;
        row.end[digits] = static_cast<unsigned char>(end);
      }
    }
  }
};
template <class Void = void>
inline constexpr point_table point_rows = make_table<point_table, Void>();

// Exponents as text, "e-07", "e+100" and so on, the length in the last byte: one load and one store each.
struct exponent_table {
  static constexpr int min = -324, max = 308;
  unsigned char texts[max - min + 1][8]{};
  constexpr exponent_table() noexcept {
    for (int exponent = min; exponent <= max; ++exponent) {
      unsigned char* const text = texts[exponent - min];
      const int size = exponent < 0 ? -exponent : exponent;
      int length = 0;
      text[length++] = 'e';
      text[length++] = exponent < 0 ? '-' : '+';
      if (size >= 100) text[length++] = static_cast<unsigned char>('0' + size / 100);
      text[length++] = static_cast<unsigned char>('0' + size / 10 % 10);
      text[length++] = static_cast<unsigned char>('0' + size % 10);
      text[7] = static_cast<unsigned char>(length);
    }
  }
};
template <class Void = void>
inline constexpr exponent_table exponent_texts = make_table<exponent_table, Void>();

// Up to seventeen digits with the point where `row` has it. Room needed: 48.
HEADRACE_INLINE char* write_around_point(char* to, const sixteen_digits& digits, std::uint32_t last, unsigned count,
                                         const point_row& row) noexcept {
  __builtin_memcpy(to, "0.000000", 8);
  digits.write(to + row.start, row.before);
  to[row.last] = static_cast<char>('0' + last);
  to[row.point] = '.';
  return to + row.end[count];
}

// Room needed: 8.
template <class Void = void>  // like the table that it looks into
HEADRACE_INLINE char* write_short_exponent(char* to, std::ptrdiff_t exponent) noexcept {
  const unsigned char* const text = exponent_texts<Void>.texts[exponent - exponent_table::min];
  __builtin_memcpy(to, text, 8);
  return to + text[7];
}

// 1.25e+20: the digits are [begin, end). The first that is not 0 goes to to[1], where the point belongs, and moves to
// to[0]. Room needed: 48.
//
// Never inlined, and the last call of its caller, which has restored the registers that it saved by then. Restored
// after the stores of the text, whose places are known last of all, they are loads that a processor may hold back so
// long, and the next number with them: that took up to twice the time. For this the caller must return what this
// returns, unseen (`returns_nonnull`), and the digits be passed in registers: not on Windows, nor on 32-bit processors.
template <class Void = void>
__attribute__((noinline, returns_nonnull)) char* write_with_exponent(char* to, char* begin, char* end,
                                                                     sixteen_digits digits, std::uint32_t last,
                                                                     std::ptrdiff_t exponent) noexcept {
  digits.write(begin);
  begin[16] = static_cast<char>('0' + last);
  to[0] = to[1];
  to[1] = '.';
  return write_short_exponent(end - (end < to + 3), exponent);
}

// The sixteen digits of `whole`, and one more. Where there is an exponent, they may be fifteen after a 0: then
// `is_long` is 0, else 1. Room needed: 48.
template <class Void = void>
HEADRACE_INLINE char* write_decimal(char* to, std::uint64_t whole, std::uint64_t next, std::uint64_t is_long,
                                    std::ptrdiff_t point_and_3) noexcept {
  const sixteen_digits digits = split_sixteen(whole);
  const auto last = static_cast<std::uint32_t>(next);
  const unsigned count = digits.count(last);
  if (static_cast<std::size_t>(point_and_3) < 20) {
    return write_around_point(to, digits, last, count, point_rows<Void>.rows[point_and_3]);
  }
  return write_with_exponent(to, to + is_long, to + is_long + count, digits, last, point_and_3 - 4);
}

// A whole part, of fifteen digits or sixteen, and the digit after it: `point_and_3` is where the point is after the
// first of fifteen, plus 3. Room needed: 48.
template <class Void = void>
HEADRACE_INLINE char* write_parts(char* to, std::uint64_t whole, std::uint64_t next, std::ptrdiff_t point_and_3,
                                  double) noexcept {
  const std::uint64_t is_long = is_less(999999999999999, whole);
  point_and_3 += static_cast<std::ptrdiff_t>(is_long);
  if (static_cast<std::size_t>(point_and_3) < 20) {  // sixteen digits are made of fifteen and the next one
    whole += (whole * 9 + next) & (is_long - 1);
    next &= 0 - is_long;
  }
  return write_decimal(to, whole, next, is_long, point_and_3);
}

// A float has six to eight digits in `whole`.
template <class Void = void>
HEADRACE_INLINE char* write_parts(char* to, std::uint64_t whole, std::uint64_t next, std::ptrdiff_t point_and_3,
                                  float) noexcept {
  whole = whole * 10 + next;  // seven to nine digits
  const std::uint64_t is_short = is_less(whole, 100000000), is_tenth = is_less(whole, 10000000);
  const std::uint64_t scale = is_short != 0 ? 100000000 : 10000000;
  return write_decimal(to, whole * (is_tenth != 0 ? 1000000000 : scale), 0, 1,
                       point_and_3 + 1 - static_cast<std::ptrdiff_t>(is_short + is_tenth));
}

// The shortest decimal of c * 2^q, `biased` being the stored exponent; null where that is too close to call, and for
// subnormal numbers, infinity and what is no number. Room needed: 48.
template <class Float>
HEADRACE_INLINE char* write_quickly(char* to, std::uint64_t c, std::size_t biased) noexcept {
  const decimal_factor& factor = factors<Float>.of[biased];
  // 1. c * factor: a whole part and a fraction of 64 bits, of which some units at its end are wrong: 40, or 2^24 of a
  //    float, whose product leaves out the factor's lower half
  constexpr std::uint64_t doubt = sizeof(Float) == 8 ? 64 : 1 << 25;
  const uint64_pair product = multiply_64(c, factor.high);
  const std::uint64_t fraction = sizeof(Float) == 8 ? product.low + multiply_64(c, factor.low).high : product.low;
  const std::uint64_t whole = product.high + (fraction < product.low);
  // 2. how far the nearest whole number is, and whether it is in the rounding interval; that one is shortest then
  const std::uint64_t rounds_up = fraction >> 63;
  const std::uint64_t distance = rounds_up != 0 ? 0 - fraction : fraction;
  const std::uint64_t beyond = distance + doubt - (factor.high >> 1);
  const std::uint64_t is_whole = beyond >> 63;
  // 3. else one more digit, rounded: the whole part of ten times the fraction. Here as in 2 the doubt is added first,
  //    which changes only what 4 finds too close
  const uint64_pair tenfold = multiply_64(fraction, 10);
  std::uint64_t tie;
  const bool carry = __builtin_add_overflow(tenfold.low, (std::uint64_t{1} << 63) + 10 * doubt, &tie);
  const std::uint64_t next = (tenfold.high + carry) & (is_whole - 1);
  // 4. too close to call; or a power of two, whose interval is lopsided
  if (unlikely(beyond <= 2 * doubt || tie <= 20 * doubt)) return nullptr;
  if (unlikely((c & (c - 1)) == 0) && distance > 10 * doubt) return nullptr;
  return write_parts(to, whole + (rounds_up & is_whole), next, factor.point_and_3(), Float{});
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
