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

}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END

#include "detail/format_impl.hpp"
