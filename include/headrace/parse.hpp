// headrace/parse.hpp: text to numbers and booleans, pure.
//
//   int n;
//   auto [ptr, ec] = headrace::parse(first, last, n);
//
// Shaped like std::from_chars: reads the longest number that starts at `first`, and returns where it ends. Neither
// throws nor allocates, knows no locale, skips no whitespace, and never reads outside [first, last).
//   ec == errc{}                 `value` is set
//   errc::invalid_argument       no number starts at `first`; ptr == first, `value` keeps its value
//   errc::result_out_of_range    it does not fit; ptr is after it, `value` keeps its value
// A sign, + or -, may come before the digits, of an unsigned type too: "-0" is 0 and "-1" is out of range.
// Any number of leading zeros is fine.
//
// Floating point is correctly rounded (to nearest, ties to even) on every standard library. Accepted: digits with at
// most one point among or around them, an optional exponent (e or E, a sign, digits), and inf, infinity, nan in any
// case; a sign before any of them. Not accepted: hexadecimal, a lone point, "1e" (the number ends before its e). A
// number that rounds to infinity, or to zero though it is not zero, is out of range.
// In another rounding mode than the default one (fesetround), a decimal of few digits is rounded by that mode.
#pragma once

#include <cstddef>

#include "config.hpp"
#include "detail/number_traits.hpp"
#include "detail/read_digits.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {

struct parse_result {
  const char* ptr;
  std::errc ec;
  explicit operator bool() const noexcept { return ec == std::errc{}; }
};

template <class Int, std::enable_if_t<detail::is_integer<Int>, int> = 0>
parse_result parse(const char* first, const char* last, Int& value) noexcept;

// In a base from 2 to 36: digits, and letters of either case, without a prefix. Another base is an invalid_argument.
template <class Int, std::enable_if_t<detail::is_integer<Int>, int> = 0>
parse_result parse(const char* first, const char* last, Int& value, int base) noexcept;

// 0 or 1, whatever the number of leading zeros; any other number is out of range.
template <class Bool, std::enable_if_t<std::is_same_v<Bool, bool>, int> = 0>
parse_result parse(const char* first, const char* last, Bool& value) noexcept;

template <class Float, std::enable_if_t<detail::is_float<Float>, int> = 0>
parse_result parse(const char* first, const char* last, Float& value) noexcept;

// ---------------------------------------------------------------------------------------------------------------

namespace detail {

// So many digits fit an Unsigned of 64 or 128 bits, whatever they are.
template <class Unsigned>
constexpr std::ptrdiff_t always_fit = sizeof(Unsigned) == 8 ? 19 : 38;

// Gives `magnitude`, negated when asked, to `value` if it fits.
template <class Int>
HEADRACE_INLINE bool assign_if_fits(Int& value, magnitude_t<Int> magnitude, bool negative) noexcept {
  if constexpr (is_signed_integer<Int>) {
    if (unlikely(magnitude > static_cast<magnitude_t<Int>>(max_value<Int>) + negative)) return false;
  } else {
    if (unlikely(magnitude > max_value<Int> || (negative && magnitude != 0))) return false;
  }
  value = static_cast<Int>(negative ? magnitude_t<Int>(0) - magnitude : magnitude);
  return true;
}

// A plus, no digits, or more of them than always fit: parse() leaves these to a call at its end.
template <class Int>
HEADRACE_COLD parse_result parse_rare(const char* first, const char* last, Int& value) noexcept {
  return parse(first, last, value, 10);
}

}  // namespace detail

template <class Int, std::enable_if_t<detail::is_integer<Int>, int>>
HEADRACE_INLINE parse_result parse(const char* first, const char* last, Int& value) noexcept {
  using magnitude = detail::magnitude_t<Int>;
  const bool negative = first != last && *first == '-';
  const char* const digits = first + negative;
  const auto finish = [&value, negative](const char* end, magnitude sum) -> parse_result {
    return {end, detail::assign_if_fits(value, sum, negative) ? std::errc{} : std::errc::result_out_of_range};
  };
  if (last - digits < 4) {  // a loop is fastest
    unsigned sum = 0;
    const char* end = digits;
    for (; end != last && detail::is_digit(*end); ++end) sum = sum * 10 + static_cast<unsigned>(*end - '0');
    if (detail::likely(end != digits)) return finish(end, sum);
  } else if (last - digits < 8) {  // nearly always nothing but digits
    const auto size = static_cast<std::size_t>(last - digits);
    const std::uint64_t eight = detail::load_fewer(digits, size) << (64 - 8 * size);
    const std::uint64_t aligned = eight ^ detail::every_byte('0') << (64 - 8 * size);
    if (detail::likely(detail::not_digits(aligned) == 0)) return finish(last, detail::join_eight_digits(aligned));
    magnitude sum = 0;
    const char* const end = detail::append_digits<false>(digits, last, sum);
    if (detail::likely(end != digits)) return finish(end, sum);
  } else {
    magnitude sum = 0;
    const char* const end = detail::append_digits<false>(digits, last, sum);
    if (detail::likely(end != digits && end - digits <= detail::always_fit<magnitude>)) return finish(end, sum);
  }
  return detail::parse_rare(first, last, value);
}

namespace detail {

// 36 where it is none.
constexpr unsigned digit_of(char letter) noexcept {
  const unsigned digit = static_cast<unsigned char>(letter) - unsigned('0');
  const unsigned place = (static_cast<unsigned char>(letter) | 0x20u) - unsigned('a');
  return digit < 10 ? digit : place < 26 ? place + 10 : 36;
}

}  // namespace detail

template <class Int, std::enable_if_t<detail::is_integer<Int>, int>>
parse_result parse(const char* first, const char* last, Int& value, int base) noexcept {
  using magnitude = detail::magnitude_t<Int>;
  if (base < 2 || base > 36) return {first, std::errc::invalid_argument};
  const bool negative = first != last && *first == '-';
  const char* const digits = first + (negative || (first != last && *first == '+'));
  const char* end = digits;
  magnitude sum = 0;
  bool too_long = false;
  for (; end != last && detail::digit_of(*end) < static_cast<unsigned>(base); ++end) {
    too_long |= __builtin_mul_overflow(sum, static_cast<magnitude>(base), &sum);
    too_long |= __builtin_add_overflow(sum, static_cast<magnitude>(detail::digit_of(*end)), &sum);
  }
  if (end == digits) return {first, std::errc::invalid_argument};
  if (too_long || !detail::assign_if_fits(value, sum, negative)) return {end, std::errc::result_out_of_range};
  return {end, std::errc{}};
}

template <class Bool, std::enable_if_t<std::is_same_v<Bool, bool>, int>>
parse_result parse(const char* first, const char* last, Bool& value) noexcept {
  unsigned char number = 0;
  parse_result result = parse(first, last, number);
  if (result.ec == std::errc{} && number > 1) result.ec = std::errc::result_out_of_range;
  if (result.ec == std::errc{}) value = number == 1;
  return result;
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END

#include "detail/parse_float.hpp"
