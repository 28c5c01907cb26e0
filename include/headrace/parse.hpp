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

}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END

#include "detail/parse_impl.hpp"
