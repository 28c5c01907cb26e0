// headrace/parse.hpp: text to integers, booleans and characters; pure (floats: parse_float.hpp).
//
//   int n;
//   auto [ptr, ec] = headrace::parse(first, last, n);
//
// Shaped like std::from_chars: reads the longest number that starts at `first`, and returns where it ends. Neither
// throws nor allocates, knows no locale, skips no blanks, and never reads outside [first, last).
//   ec == errc{}                 `value` is set
//   errc::invalid_argument       no number starts at `first`; ptr == first, `value` keeps its value
//   errc::result_out_of_range    it does not fit; ptr stands behind it, `value` keeps its value
// A sign, + or -, may stand before the digits, of an unsigned type too: "-0" is 0 and "-1" is out of range.
// Any number of leading zeros is fine.
#pragma once

#include <cstdint>
#include <cstring>
#include <system_error>

#include "types.hpp"

namespace headrace {

struct parse_result {
  const char* ptr;
  std::errc ec;
};

template <class Int, std::enable_if_t<detail::is_integer<Int>, int> = 0>
parse_result parse(const char* first, const char* last, Int& value) noexcept;

// 0 or 1, whatever the number of leading zeros; any other number is out of range.
inline parse_result parse(const char* first, const char* last, bool& value) noexcept;

// ---------------------------------------------------------------------------------------------------------------

namespace detail {

// Blanks separate tokens: space, \t \n \v \f \r, and nothing else (as isspace in the "C" locale).
constexpr bool is_blank(char byte) noexcept { return byte == ' ' || static_cast<unsigned char>(byte - 9) < 5; }
constexpr bool is_digit(char byte) noexcept { return static_cast<unsigned char>(byte - '0') < 10; }

// Eight bytes as one number whose lowest byte is the first of them, on any processor.
HEADRACE_INLINE std::uint64_t load_eight(const char* from) noexcept {
  std::uint64_t bytes;
  std::memcpy(&bytes, from, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  bytes = __builtin_bswap64(bytes);
#endif
  return bytes;
}

constexpr std::uint64_t every_byte(std::uint64_t byte) noexcept { return byte * 0x0101010101010101u; }

// The bytes of `digits` (text with every_byte('0') taken away by xor) that are not 0 to 9 have their top bit set.
constexpr std::uint64_t not_digits(std::uint64_t digits) noexcept {
  return (digits | (digits + every_byte(0x76))) & every_byte(0x80);
}

// Eight digits, 0 to 9 a byte, the first in the lowest byte, to their number: pairs, then fours, then all eight, each
// step one multiplication (after D. Lemire, "Quickly parsing eight digits", 2018).
constexpr std::uint32_t join_eight_digits(std::uint64_t digits) noexcept {
  digits = digits * 10 + (digits >> 8);
  const std::uint64_t first = (digits & 0x000000FF000000FFu) * 0x000F424000000064u;
  const std::uint64_t second = ((digits >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u;
  return static_cast<std::uint32_t>((first + second) >> 32);
}

// Whether a run of digits is more than an Unsigned holds; leading zeros do not count.
template <class Unsigned>
HEADRACE_COLD bool overflows(const char* first, const char* last) noexcept {
  constexpr Unsigned most = static_cast<Unsigned>(~Unsigned(0));
  Unsigned sum = 0;
  for (; first != last; ++first) {
    const auto digit = static_cast<unsigned>(*first - '0');
    if (sum > most / 10 || sum * 10 > most - digit) return true;
    sum = sum * 10 + digit;
  }
  return false;
}

inline constexpr std::uint64_t powers_of_ten[] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    10000000000,
    100000000000,
    1000000000000,
    10000000000000,
    100000000000000,
    1000000000000000,
    10000000000000000,
};

// Four to seven bytes as load_eight() gives them, the rest zero: two loads that overlap.
HEADRACE_INLINE std::uint64_t load_fewer(const char* from, std::size_t size) noexcept {
  std::uint32_t low, high;
  std::memcpy(&low, from, 4);
  std::memcpy(&high, from + size - 4, 4);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  low = __builtin_bswap32(low);
  high = __builtin_bswap32(high);
#endif
  return low | std::uint64_t(high) << (8 * (size - 4));
}

// Appends the digits among eight bytes up to the first other byte, whose top bit in `wrong` is set.
template <class Unsigned>
HEADRACE_INLINE const char* append_some(const char* at, std::uint64_t digits, std::uint64_t wrong,
                                        Unsigned& sum) noexcept {
  const auto count = static_cast<unsigned>(__builtin_ctzll(wrong)) / 8;
  if (count != 0) sum = sum * powers_of_ten[count] + join_eight_digits(digits << (64 - 8 * count));
  return at + count;
}

// Appends the digits at `at` to `sum` (modulo its size) and returns where they end; eight at a time, without a loop
// for the last few. Reads nothing behind `last`, or at most eight bytes when that is `Padded`.
template <bool Padded, class Unsigned>
HEADRACE_INLINE const char* append_digits(const char* at, const char* last, Unsigned& sum) noexcept {
  while (Padded || last - at >= 8) {
    const std::uint64_t digits = load_eight(at) ^ every_byte('0');
    const std::uint64_t wrong = not_digits(digits);
    if (wrong != 0) return append_some(at, digits, wrong, sum);
    sum = sum * 100000000 + join_eight_digits(digits);
    at += 8;
  }
  if (last - at >= 4) {
    const std::uint64_t digits = load_fewer(at, static_cast<std::size_t>(last - at)) ^ every_byte('0');
    return append_some(at, digits, not_digits(digits), sum);
  }
  for (; at != last && is_digit(*at); ++at) sum = sum * 10 + static_cast<unsigned>(*at - '0');
  return at;
}

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

// The digits among the eight bytes at `from`, of which the last `count` (1 to 8) belong to a number; the others become
// 0. Not digits: see not_digits().
HEADRACE_INLINE std::uint64_t last_digits(const char* from, std::size_t count) noexcept {
  return (load_eight(from) ^ every_byte('0')) & (~std::uint64_t(0) << (64 - 8 * count));
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

}  // namespace headrace
