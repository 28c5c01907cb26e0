// headrace/detail/format_float_rounded.hpp: floating point to a number of digits that is asked for, up to seventeen, by
// products of 64 and 128 bits. Not for users.
//
//     1234.5678   fixed, 2         * 10^2, exactly: 123456.78, so 123457
//                 scientific, 2    * 10^-1, a product with the first 128 bits of the power: 123.45678, so 123
//
// Both are then written as the shortest text is. What is too near to the middle of two decimals, too long, or zero, is
// left to exact_digits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../config.hpp"
#include "exact_digits.hpp"
#include "format_float_quick.hpp"
#include "powers.hpp"
#include "read_digits.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// value * 10^precision, rounded to nearest, ties to even; false where that takes more than 64 bits or is not cheap.
inline bool scale_exactly(const binary_float& value, int precision, std::uint64_t& result) noexcept {
  const int down = -value.exponent;
  if (value.high != 0 || precision > 19 || down < 0) return false;
  const uint64_pair product = multiply_64(value.low, powers_of_ten[precision]);
  if (down >= 128) {
    result = 0;
    return product.high >> 63 == 0;  // less than half
  }
  std::uint64_t half;  // the first bit after the point
  std::uint64_t rest;  // not 0 if any other is set
  if (down > 64) {
    result = product.high >> (down - 64);
    half = product.high >> (down - 65) & 1;
    rest = (product.high & ((std::uint64_t{1} << (down - 65)) - 1)) | product.low;
  } else if (down == 64) {
    result = product.high;
    half = product.low >> 63;
    rest = product.low << 1;
  } else {
    if (product.high >> down != 0) return false;
    result = down == 0 ? product.low : product.high << (64 - down) | product.low >> down;
    half = down == 0 ? 0 : product.low >> (down - 1) & 1;
    rest = down == 0 ? 0 : product.low & ((std::uint64_t{1} << (down - 1)) - 1);
  }
  if (half != 0 && (rest != 0 || (result & 1) != 0)) {
    if (++result == 0) return false;
  }
  return true;
}

// A value, not 0, as `whole` * 10^(exponent + 1 - count), rounded to nearest, where `whole` has exactly `count` digits,
// at most 17; false where it is too near to a tie.
inline bool round_to_digits(const binary_float& value, int count, std::uint64_t& whole, int& exponent) noexcept {
  // 1. c * 2^q, the top bit of c set; between 10^k and 20 * 10^k
  const int leading = __builtin_clzll(value.low), q = value.exponent - leading;
  if (q < -1138 || q > 960) return false;  // a long double
  const std::uint64_t c = value.low << leading;
  exponent = floor_log10_power_of_two(q + 63);
  const int power = count - 1 - exponent;
  if (power > max_power) return false;
  // 2. times 10^power: `count` digits or one more. The product is less than two units of its last bit too small.
  const uint64_pair five = power_of_five(power);
  const uint64_pair product = multiply_64(c, five.high);
  const std::uint64_t low = product.low + multiply_64(c, five.low).high, high = product.high + (low < product.low);
  const int down = -(q + floor_log2_power_of_ten(power) - 63) - 64;  // 1 to 63, as the whole part is below 2^61
  whole = high >> down;
  std::uint64_t rest = high << (64 - down) | low >> down, tie = std::uint64_t{1} << 63;
  // 3. the digit too many belongs to the rest
  if (whole >= powers_of_ten[count]) {
    const std::uint64_t tenth = whole / 10;
    rest = rest >> 4 | (whole - tenth * 10) << 60;
    tie = std::uint64_t{5} << 60;
    whole = tenth;
    ++exponent;
  }
  if (unlikely(rest - tie + 4 <= 8)) return false;
  whole += rest > tie;
  if (unlikely(whole == powers_of_ten[count])) {
    whole = powers_of_ten[count - 1];
    ++exponent;
  }
  return true;
}

// How many digits it has; 0 < value < 10^19.
constexpr HEADRACE_INLINE unsigned count_digits(std::uint64_t value) noexcept {
  const auto bits = 64 - static_cast<unsigned>(__builtin_clzll(value));
  const auto least = bits * 1233 >> 12;
  return least + (value >= powers_of_ten[least]);
}

// All digits of a number that has `count` of them, at most 17. Room needed: 48.
template <class Void = void>
HEADRACE_INLINE char* write_all_digits(char* to, std::uint64_t whole, unsigned count, const point_row& row) noexcept {
  whole *= powers_of_ten[17 - count];
  const std::uint64_t sixteen = whole / 10;
  return write_around_point(to, split_sixteen(sixteen), static_cast<std::uint32_t>(whole - sixteen * 10), count, row);
}

// The common values, with a precision from 0 on; null for others. Room needed: float_room.
template <class Void = void>
char* write_rounded(char* to, const binary_float& value, bool scientific, int precision) noexcept {
  if (unlikely(value.kind != binary_float::finite || value.high != 0 || value.low == 0 || precision > 16)) {
    return nullptr;
  }
  *to = '-';
  to += value.negative;
  std::uint64_t whole;
  if (scientific) {
    int exponent;
    if (unlikely(!round_to_digits(value, precision + 1, whole, exponent))) return nullptr;
    char* const end = write_all_digits(to, whole, static_cast<unsigned>(precision + 1), point_rows<Void>.rows[4]);
    return write_short_exponent(end, exponent);
  }
  if (unlikely(!scale_exactly(value, precision, whole) || whole == 0 || whole >= powers_of_ten[17])) return nullptr;
  const unsigned count = count_digits(whole);
  const unsigned point_and_3 = count + 3 - static_cast<unsigned>(precision);
  if (unlikely(point_and_3 >= 20)) return nullptr;
  return write_all_digits(to, whole, count, point_rows<Void>.rows[point_and_3]);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
