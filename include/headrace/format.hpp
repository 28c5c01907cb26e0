// headrace/format.hpp: number -> text, pure. Shaped like std::to_chars: no locale, nothing allocated, nothing
// thrown.
//
// Floating point is exact. Shortest text: the fewest digits that read back as the same value, and of those the ones
// closest to it. It is written plainly where the decimal exponent is in [-4, 16) ("0.001", "1500") and as 1.5e+16
// elsewhere, the exponent with two digits or more; "inf", "-inf" and "nan" where it is no number.
#pragma once

#include <cstddef>

#include "config.hpp"
#include "detail/number_traits.hpp"
#include "detail/write_digits.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {

// The result of format(). Success: `ec` is std::errc{} and `ptr` is past the last byte. Too little room: `ec`
// is value_too_large, `ptr` is `last`, and what [first, last) holds is unspecified. What is after `ptr` may be
// overwritten, up to `last`.
struct format_result {
  char* ptr;
  std::errc ec;
  explicit operator bool() const noexcept { return ec == std::errc{}; }
};

// Writes an integer of 8 to 128 bits in decimal, or floating point as its shortest text, to [first, last). No
// terminating zero. signed char and unsigned char are numbers.
template <class Number>
[[nodiscard]] format_result format(char* first, char* last, Number value) noexcept;

// Writes an integer in base 2 to 36 (lower-case letters), with '-' before a negative one. Any other base:
// invalid_argument.
template <class Integer>
[[nodiscard]] format_result format(char* first, char* last, Integer value, int base) noexcept;

// As manipulators of a writer: out << base(255, 16) writes ff, out << as_word(true) writes true. Of a variable, base()
// refers to it, and a reader takes it, too: in >> base(x, 16).
template <class Integer>
struct based_integer {
  Integer value;
  int base;
};
template <class Integer>
[[nodiscard]] constexpr based_integer<Integer> base(const Integer& value, int base) noexcept {
  static_assert(detail::is_integer<Integer>, "headrace::base takes an integer");
  return {value, base};
}
template <class Integer, std::enable_if_t<!std::is_const_v<Integer>, int> = 0>
[[nodiscard]] constexpr based_integer<Integer&> base(Integer& value, int base) noexcept {
  static_assert(detail::is_integer<Integer>, "headrace::base takes an integer");
  return {value, base};
}

struct word_bool {
  bool value;
};
[[nodiscard]] constexpr word_bool as_word(bool value) noexcept { return {value}; }

enum class float_style : unsigned char {
  fixed,      // 1234.50   precision digits after the point
  scientific  // 1.23e+03  the same, after the first digit
};

// With `precision` digits after the point, rounded to nearest from the exact value, ties to even; no point where
// precision is 0. A negative precision is an invalid_argument.
template <class Float>
[[nodiscard]] format_result format(char* first, char* last, Float value, float_style style, int precision) noexcept;

// As manipulators of a writer: out << fixed(x, 2).
template <class Float>
struct styled_float {
  Float value;
  float_style style;
  int precision;
};
template <class Float>
[[nodiscard]] constexpr styled_float<Float> fixed(Float value, int precision) noexcept {
  static_assert(detail::is_float<Float>, "headrace::fixed takes float, double or long double");
  return {value, float_style::fixed, precision};
}
template <class Float>
[[nodiscard]] constexpr styled_float<Float> scientific(Float value, int precision) noexcept {
  static_assert(detail::is_float<Float>, "headrace::scientific takes float, double or long double");
  return {value, float_style::scientific, precision};
}

// ---------------------------------------------------------------------------------------------------------------

namespace detail {

// A writer puts these straight into its buffer. Room needed: 64 bytes, for a string literal its size.
HEADRACE_INLINE char* write_short(char* to, char value) noexcept {
  *to = value;
  return to + 1;
}
HEADRACE_INLINE char* write_short(char* to, bool value) noexcept {
  *to = static_cast<char>('0' + value);
  return to + 1;
}
inline char* write_short(char* to, word_bool word) noexcept {
  __builtin_memcpy(to, word.value ? "true" : "false", 5);
  return to + (word.value ? 4 : 5);
}
template <class Integer, class = std::enable_if_t<is_integer<Integer>>>
HEADRACE_INLINE char* write_short(char* to, Integer value) noexcept {
  return write_integer(to, value);
}

// How far a bulk kernel may write past the end of its text.
inline constexpr std::size_t bulk_write_padding = 64;

// The longest text of a float or double: -1.2345678901234567e-100.
inline constexpr std::size_t max_float_length = 24;

// The digits of a magnitude in any base, backwards from `end`; returns the first. Room needed: as many bytes as it has
// bits.
template <class Magnitude>
HEADRACE_INLINE char* write_digits_backwards(char* end, Magnitude value, unsigned base,
                                             const char* digits = "0123456789abcdefghijklmnopqrstuvwxyz") noexcept {
  do {
    *--end = digits[static_cast<unsigned>(value % base)];
    value /= base;
  } while (value != 0);
  return end;
}

inline format_result copy_out(char* first, char* last, const char* from, std::size_t size) noexcept {
  if (static_cast<std::size_t>(last - first) < size) return {last, std::errc::value_too_large};
  __builtin_memcpy(first, from, size);
  return {first + size, std::errc{}};
}

// With the contract of format().
template <class Float>
format_result format_shortest(char* first, char* last, Float value) noexcept;

}  // namespace detail

template <class Number>
format_result format(char* first, char* last, Number value) noexcept {
  static_assert(detail::is_integer<Number> || detail::is_float<Number>,
                "headrace::format takes integers and floating point");
  if constexpr (detail::is_float<Number>) {
    return detail::format_shortest(first, last, value);
  } else {
    constexpr std::size_t room = detail::max_length<Number> + detail::write_padding;
    if (detail::likely(static_cast<std::size_t>(last - first) >= room)) {
      return {detail::write_integer(first, value), std::errc{}};
    }
    char text[48];  // more than `room`: compilers do not see that a short type takes the short ways only
    return detail::copy_out(first, last, text, static_cast<std::size_t>(detail::write_integer(text, value) - text));
  }
}

template <class Integer>
format_result format(char* first, char* last, Integer value, int base) noexcept {
  static_assert(detail::is_integer<Integer>, "headrace::format takes a base with integers only");
  if (base == 10) return format(first, last, value);
  if (base < 2 || base > 36) return {first, std::errc::invalid_argument};
  char text[sizeof(Integer) * 8 + 1];
  char* const end = text + sizeof text;
  char* begin = detail::write_digits_backwards(end, detail::magnitude_of(value), static_cast<unsigned>(base));
  if (value < 0) *--begin = '-';
  return detail::copy_out(first, last, begin, static_cast<std::size_t>(end - begin));
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END

#include "detail/format_float.hpp"
