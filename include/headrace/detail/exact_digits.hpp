// headrace/detail/exact_digits.hpp: every digit of a binary floating-point number, by integers as long as it takes. The
// slow road of format_float.hpp: always right, nothing allocated, a few kilobytes of stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "big_integer.hpp"
#include "../config.hpp"
#include "write_digits.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// A finite value taken apart: (high * 2^64 + low) * 2^exponent.
struct binary_float {
  std::uint64_t low;
  std::uint64_t high;  // binary128 only
  int exponent;
  bool negative;
  bool lower_boundary_is_closer;  // a power of two: the next value below is only half as far away as the one above
  enum kind_type : unsigned char { finite, infinite, not_a_number } kind;

  constexpr bool is_zero() const noexcept { return (low | high) == 0; }
};

template <int Bits>
using wide_integer = big_integer<std::size_t{Bits} / 32 + 1>;

template <int Bits>
wide_integer<Bits> significand_of(const binary_float& value) noexcept {
  wide_integer<Bits> result(value.high);
  result.shift_left(32);
  result.add(static_cast<std::uint32_t>(value.low >> 32));
  result.shift_left(32);
  result.add(static_cast<std::uint32_t>(value.low));
  return result;
}

// a + b against c: negative, 0 or positive
template <std::size_t Limbs>
int compare_sum(big_integer<Limbs> a, const big_integer<Limbs>& b, const big_integer<Limbs>& c) noexcept {
  a.add(b);
  return a.compare(c);
}

inline int bit_length(const binary_float& value) noexcept {
  return value.high != 0 ? 128 - __builtin_clzll(value.high) : 64 - __builtin_clzll(value.low | 1);
}

// floor(exponent * log10(2)), exact for |exponent| < 70000.
constexpr int floor_log10_power_of_two_wide(int exponent) noexcept {
  return static_cast<int>((static_cast<std::int64_t>(exponent) * 1292913986) >> 32);
}

// Digits as text and where the point is: 0.<text> * 10^point.
struct digit_text {
  int size;
  int point;
};

// The free-format algorithm of Burger and Dybvig: value = rest / unit, the rounding interval reaches below / unit
// down and above / unit up. `text` has room for 40 digits. The value is not 0. Bits: room for all of the above.
template <int Bits>
digit_text shortest_digits(const binary_float& value, char* text) noexcept {
  const auto up = static_cast<std::size_t>(value.exponent > 0 ? value.exponent : 0);
  const auto down = static_cast<std::size_t>(value.exponent < 0 ? -value.exponent : 0);
  auto rest = significand_of<Bits>(value);
  rest.shift_left(up + 1 + value.lower_boundary_is_closer);
  wide_integer<Bits> unit(1);
  wide_integer<Bits> below(1);
  wide_integer<Bits> above(1);
  unit.shift_left(down + 1 + value.lower_boundary_is_closer);
  below.shift_left(up);
  above.shift_left(up + value.lower_boundary_is_closer);
  const bool even = (value.low & 1) == 0;  // an even significand keeps the ends of its interval
  // The first digit is at 10^(point - 1); the estimate may be 1 too low.
  int point = floor_log10_power_of_two_wide(value.exponent + bit_length(value) - 1) + 1;
  if (point > 0) {
    unit.multiply_by_power_of_ten(static_cast<std::size_t>(point));
  } else {
    rest.multiply_by_power_of_ten(static_cast<std::size_t>(-point));
    below.multiply_by_power_of_ten(static_cast<std::size_t>(-point));
    above.multiply_by_power_of_ten(static_cast<std::size_t>(-point));
  }
  if (compare_sum(rest, above, unit) >= !even) {
    unit.multiply(10);
    ++point;
  }
  int size = 0;
  for (;;) {
    rest.multiply(10);
    below.multiply(10);
    above.multiply(10);
    int digit = 0;
    for (; rest.compare(unit) >= 0; ++digit) rest.subtract(unit);
    const bool low_enough = rest.compare(below) < even;
    const bool high_enough = compare_sum(rest, above, unit) >= !even;
    if (low_enough || high_enough) {
      const int half = compare_sum(rest, rest, unit);
      digit += high_enough && (!low_enough || half > 0 || (half == 0 && digit % 2 != 0));
      text[size++] = static_cast<char>('0' + digit);
      return {size, point};
    }
    text[size++] = static_cast<char>('0' + digit);
  }
}

// Digits from the top: first those of the integral part, then as many of the fraction as are asked for.
template <int Bits>
class digit_stream {
 public:
  // `text` has room for all digits of the integral part.
  digit_stream(const binary_float& value, char* text) noexcept : text_(text) {
    wide_integer<Bits> whole = significand_of<Bits>(value);
    if (value.exponent >= 0) {
      whole.shift_left(static_cast<std::size_t>(value.exponent));
    } else {
      // Cut at the point, which is made to be between two limbs.
      const auto down = static_cast<std::size_t>(-value.exponent);
      point_ = (down + 31) / 32;
      whole.shift_left(point_ * 32 - down);
      fraction_ = whole;
      whole = fraction_.cut(point_);
    }
    write_whole(whole);
  }

  int size() const noexcept { return size_; }
  bool is_exact() const noexcept { return fraction_.is_zero(); }  // only zeros would follow

  // Appends nine digits of the fraction.
  void append_nine() noexcept {
    fraction_.multiply(billion);
    char nine[9 + write_padding];
    write_nine(nine, fraction_.cut(point_).lowest_limb());
    __builtin_memcpy(text_ + size_, nine, 9);
    size_ += 9;
  }

 private:
  void write_whole(wide_integer<Bits>& whole) noexcept {
    char* const start = text_ + Bits * 31 / 100 + 9;  // backwards from here, then moved to the front
    char* first = start;
    char nine[9 + write_padding];
    while (!whole.is_zero()) {
      write_nine(nine, whole.divide(billion));
      first -= 9;
      __builtin_memcpy(first, nine, 9);
    }
    while (first != start && *first == '0') ++first;
    size_ = static_cast<int>(start - first);
    __builtin_memmove(text_, first, static_cast<std::size_t>(size_));
  }

  wide_integer<Bits> fraction_;
  char* text_;
  std::size_t point_ = 0;  // limbs after the point
  int size_ = 0;
};

// Rounds the digits [text, text + size) to `keep` of them, to nearest, ties to even; `more` says that something other
// than zeros follows them. text[-1] is '0' and takes the carry: returns true if it did.
inline bool round_digits(char* text, int size, int keep, bool more) noexcept {
  if (keep >= size) return false;
  bool up = text[keep] > '5';
  if (text[keep] == '5') {
    for (int i = keep + 1; i < size && !more; ++i) more = text[i] != '0';
    up = more || (text[keep - 1] & 1) != 0;
  }
  if (!up) return false;
  char* last = text + keep - 1;
  while (*last == '9') *last-- = '0';
  ++*last;
  return last < text;
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
