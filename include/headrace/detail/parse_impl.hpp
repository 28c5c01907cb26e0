// headrace/detail/parse_impl.hpp: how integers are read. Not for users.
#pragma once

#include "../parse.hpp"
#include "read_digits.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

namespace detail {

// So many digits fit an Unsigned of 64 or 128 bits, whatever they are.
template <class Unsigned>
constexpr std::ptrdiff_t always_fit = sizeof(Unsigned) == 8 ? 19 : 38;

// Gives `magnitude`, negated when asked, to `value` if it fits.
template <class Int>
HEADRACE_INLINE bool assign_if_fits(Int& value, magnitude_t<Int> magnitude, bool negative) noexcept {
  if constexpr (is_signed_integer<Int>) {
    if (unlikely(magnitude > static_cast<magnitude_t<Int>>(greatest<Int>) + negative)) return false;
  } else {
    if (unlikely(magnitude > greatest<Int> || (negative && magnitude != 0))) return false;
  }
  value = static_cast<Int>(negative ? magnitude_t<Int>(0) - magnitude : magnitude);
  return true;
}

// What parse() leaves to a call at its end: a plus, no digits, or more of them than always fit.
template <class Int>
HEADRACE_COLD parse_result parse_rare(const char* first, const char* last, Int& value) noexcept {
  using magnitude = magnitude_t<Int>;
  const bool negative = first != last && *first == '-';
  const char* const digits = first + (negative || (first != last && *first == '+'));
  magnitude sum = 0;
  const char* const end = append_digits<false>(digits, last, sum);
  if (end == digits) return {first, std::errc::invalid_argument};
  const bool overflow = end - digits > always_fit<magnitude> && overflows<magnitude>(digits, end);
  if (overflow || !assign_if_fits(value, sum, negative)) return {end, std::errc::result_out_of_range};
  return {end, std::errc{}};
}

// A whole token, [first, last) without blanks: exact for any length, the reference for every kernel.
template <class Value>
__attribute__((noinline)) std::errc parse_token(const char* first, const char* last, Value& value) noexcept {
  Value parsed{};
  const parse_result result = parse(first, last, parsed);
  if (result.ptr != last) return std::errc::invalid_argument;
  if (result.ec == std::errc{}) value = parsed;
  return result.ec;
}

// Nine digits and more; up to twenty without a loop.
template <class Int>
__attribute__((noinline)) std::errc parse_long_token(const char* first, const char* last, Int& value) noexcept {
  const bool negative = *first == '-';
  const auto length = static_cast<std::size_t>(last - first) - (negative ? 1 : 0);
  if (length < 9 || length > 20) return parse_token(first, last, value);
  const std::uint64_t low = last_digits(last - 8, 8);
  const std::uint64_t middle = last_digits(last - 16, length < 16 ? length - 8 : 8);
  const std::uint64_t high = length <= 16 ? 0 : last_digits(last - 24, length - 16);
  if (not_digits(low) | not_digits(middle) | not_digits(high)) return parse_token(first, last, value);
  const std::uint64_t rest = std::uint64_t(join_eight_digits(middle)) * 100000000 + join_eight_digits(low);
  const std::uint64_t top = join_eight_digits(high);
  const std::uint64_t sum = top * 10000000000000000u + rest;
  if (top > 1844 || sum < rest) return parse_token(first, last, value);  // more than 64 bits
  return assign_if_fits(value, sum, negative) ? std::errc{} : std::errc::result_out_of_range;
}

// The common token, of up to eight digits, without a call; false when it is another, or none. Eight bytes before `last`
// may be read whatever they are.
//   "-1234"  ......  load the 8 bytes that end with the token, keep its digits: 0 0 0 0 1 2 3 4
template <class Int, std::enable_if_t<is_integer<Int>, int> = 0>
HEADRACE_INLINE bool parse_short_token(const char* first, const char* last, Int& value) noexcept {
  const bool negative = *first == '-';
  const auto length = static_cast<std::size_t>(last - first) - (negative ? 1 : 0);
  if (unlikely(length - 1 >= 8)) return false;
  const std::uint64_t digits = last_digits(last - 8, length);
  if (unlikely(not_digits(digits))) return false;
  const std::uint32_t sum = join_eight_digits(digits);
  if constexpr (is_signed_integer<Int> && sizeof(Int) >= 4) {  // eight digits fit
    value = negative ? -static_cast<Int>(sum) : static_cast<Int>(sum);
    return true;
  } else {
    return assign_if_fits(value, sum, negative);
  }
}

// The same for any token, with what is wrong with it. 24 bytes before `last` may be read.
template <class Int, std::enable_if_t<is_integer<Int>, int> = 0>
HEADRACE_INLINE std::errc parse_token_in_buffer(const char* first, const char* last, Int& value) noexcept {
  if (likely(parse_short_token(first, last, value))) return std::errc{};
  return parse_long_token(first, last, value);
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
  } else {
    magnitude sum = 0;
    const char* const end = detail::append_digits<false>(digits, last, sum);
    if (detail::likely(end != digits && end - digits <= detail::always_fit<magnitude>)) return finish(end, sum);
  }
  return detail::parse_rare(first, last, value);
}

inline parse_result parse(const char* first, const char* last, bool& value) noexcept {
  unsigned char number = 0;
  parse_result result = parse(first, last, number);
  if (result.ec == std::errc{} && number > 1) result.ec = std::errc::result_out_of_range;
  if (result.ec == std::errc{}) value = number == 1;
  return result;
}

}  // namespace HEADRACE_ABI
}  // namespace headrace

#if __has_include("parse_float.hpp")
#include "parse_float.hpp"
#else  // left out by `headrace bundle --without floats`
#include "without_parse_float.hpp"
#endif
