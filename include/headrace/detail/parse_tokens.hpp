// headrace/detail/parse_tokens.hpp: what an index of tokens consists of, and one token to an integer: exactly, and
// without SIMD. Every kernel hands what it does not take to the functions here. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../parse.hpp"
#include "read_digits.hpp"
#include "simd/sixteen_bytes.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// An index of tokens is an array of edges: where the first token begins and ends, where the second does, and so on,
// counted from the first byte of the window.
struct token {
  std::uint16_t begin;
  std::uint16_t end;
};
HEADRACE_INLINE token token_at(const std::uint16_t* edges, std::size_t i) noexcept {
  return {edges[2 * i], edges[2 * i + 1]};
}

// A bit for each of a group of tokens that are converted together.
struct tokens_left {
  unsigned all = 0;        // no value is there for it yet
  unsigned malformed = 0;  // of these: it is certainly none
};

// Where a converter notes the tokens for which there is no value, in their order, instead of stopping at the first: the
// place of each in the index, marked where it is certainly malformed.
struct refusals {
  static constexpr std::uint16_t malformed = 0x8000;
  static constexpr std::size_t padding = 8;  // kernels write ahead

  std::uint16_t* first;
  std::uint16_t* next;

  void note(std::size_t place, std::errc code) noexcept {
    *next++ = static_cast<std::uint16_t>(place | (code == std::errc::invalid_argument ? malformed : 0u));
  }
  bool has_from(std::size_t place) const noexcept { return next != first && place_of(next[-1]) >= place; }
  // Those from a place on: their tokens are converted again.
  void forget_from(std::size_t place) noexcept {
    while (has_from(place)) --next;
  }
  static std::size_t place_of(std::uint16_t noted) noexcept { return noted & (malformed - 1u); }
};

// How much text is indexed at once: small enough that the index and the values stay in the first cache.
inline constexpr std::size_t window_size = 8 * 1024;

// An index of a window needs room for an edge per byte, and for what a kernel writes ahead.
inline constexpr std::size_t window_edges = window_size + 128;

// The magnitudes that an integer type of up to 64 bits holds. Types of one width differ in nothing else, so one body
// converts all of them.
struct integer_range {
  std::uint64_t max;
  std::uint64_t max_negative;  // without its sign; 0: the type is unsigned
};
template <class Int>
constexpr integer_range range_of = {max_value<Int>, is_signed_integer<Int> ? std::uint64_t(max_value<Int>) + 1 : 0};

// Values are stored as the lowest `Width` bytes of 64 bits.
template <unsigned Width>
HEADRACE_INLINE void store_value(void* to, std::uint64_t value) noexcept {
  if constexpr (Width == 8) {
    __builtin_memcpy(to, &value, 8);
  } else {
    static_assert(Width == 4);
    const auto narrow = static_cast<std::uint32_t>(value);
    __builtin_memcpy(to, &narrow, 4);
  }
}

// A magnitude with its sign, as 64 bits; false when the type does not hold it. Random signs cost no misprediction.
HEADRACE_INLINE bool apply_sign(std::uint64_t magnitude, bool negative, integer_range range,
                                std::uint64_t& value) noexcept {
  const std::uint64_t sign = 0 - std::uint64_t(negative);
  if (unlikely(magnitude > (range.max ^ ((range.max ^ range.max_negative) & sign)))) return false;
  value = (magnitude ^ sign) - sign;
  return true;
}

// Any token, [first, last) without whitespace, a digit at a time: the reference for every kernel.
__attribute__((noinline)) inline std::errc parse_any_integer(const char* first, const char* last, integer_range range,
                                                             std::uint64_t& value) noexcept {
  const bool negative = first != last && *first == '-';
  if (negative || (first != last && *first == '+')) ++first;
  if (first == last) return std::errc::invalid_argument;
  std::uint64_t sum = 0;
  bool too_long = false;
  for (; first != last; ++first) {
    const auto digit = static_cast<unsigned>(*first - '0');
    if (digit > 9) return std::errc::invalid_argument;
    too_long |= __builtin_mul_overflow(sum, std::uint64_t(10), &sum);
    too_long |= __builtin_add_overflow(sum, std::uint64_t(digit), &sum);
  }
  if (too_long || !apply_sign(sum, negative, range, value)) return std::errc::result_out_of_range;
  return std::errc{};
}

// The 1 to 20 digits before `last`: sixteen at once, and up to four more. 24 bytes before `last` may be read.
HEADRACE_INLINE std::errc join_twenty_digits(const char* last, std::size_t length, std::uint64_t& sum) noexcept {
  if (!sixteen_characters::join_digits(last, length, sum)) return std::errc::invalid_argument;
  if (length > 16) {
    std::uint64_t top;
    if (!sixteen_characters::join_few(last - 16, length - 16, top)) return std::errc::invalid_argument;
    if (unlikely(top > 1844 || __builtin_add_overflow(sum, top * powers_of_ten[16], &sum))) {
      return std::errc::result_out_of_range;  // more than 64 bits
    }
  }
  return std::errc{};
}

// Any token in a buffer, of which 24 bytes before `last` may be read: up to twenty digits without a loop, and what is
// no number by one look.
__attribute__((noinline)) inline std::errc parse_integer(const char* first, const char* last, integer_range range,
                                                         std::uint64_t& value) noexcept {
  const bool negative = *first == '-';
  const auto length = static_cast<std::size_t>(last - first) - negative;
  if (length - 1 >= 20) return parse_any_integer(first, last, range, value);
  std::uint64_t sum;
  const std::errc code = join_twenty_digits(last, length, sum);
  if (code == std::errc::invalid_argument && *first == '+') return parse_any_integer(first, last, range, value);
  if (code != std::errc{}) return code;
  return apply_sign(sum, negative, range, value) ? std::errc{} : std::errc::result_out_of_range;
}

// The byte with which a negative number of a type begins; one that there is not, where it has none.
constexpr unsigned minus_of(integer_range range) noexcept { return range.max_negative != 0 ? '-' : 256; }

// parse_integer(), up to twenty digits without a call, of a type that holds eight.
HEADRACE_INLINE std::errc parse_integer_token(const char* first, const char* last, unsigned minus, integer_range range,
                                              std::uint64_t& value) noexcept {
  const bool negative = static_cast<unsigned char>(*first) == minus;
  const auto length = static_cast<std::size_t>(last - first) - negative;
  if (likely(length - 1 < 8)) {
    if (sixteen_characters::join_few(last, length, value)) {
      value = negative ? 0 - value : value;
      return std::errc{};
    }
  } else if (length - 1 < 20 && join_twenty_digits(last, length, value) == std::errc{} &&
             apply_sign(value, negative, range, value)) {
    return std::errc{};
  }
  std::uint64_t other;  // not `value`, whose address would keep it out of a register
  const std::errc code = parse_integer(first, last, range, other);
  value = other;
  return code;
}

// The common token, of up to eight digits, to a type that is known, without a call; false when it is another, or none.
// Eight bytes before `last` may be read whatever they are.
//   "-1234"  ......  load the 8 bytes that end with the token, keep its digits: 0 0 0 0 1 2 3 4
template <class Int, std::enable_if_t<is_integer<Int>, int> = 0>
HEADRACE_INLINE bool parse_token_in_turn(const char* first, const char* last, Int& value) noexcept {
  const bool negative = *first == '-';
  const auto length = static_cast<std::size_t>(last - first) - negative;
  std::uint64_t magnitude;
  if (unlikely(length - 1 >= 8) || !sixteen_characters::join_few(last, length, magnitude)) return false;
  if constexpr (is_signed_integer<Int> && sizeof(Int) >= 4) {  // eight digits fit
    value = negative ? -static_cast<Int>(magnitude) : static_cast<Int>(magnitude);
    return true;
  } else {
    return assign_if_fits(value, static_cast<std::uint32_t>(magnitude), negative);
  }
}

// A token in a buffer to an integer of a type that is known.
template <class Int, std::enable_if_t<is_integer<Int> && sizeof(Int) <= 8, int> = 0>
HEADRACE_INLINE std::errc parse_token_in_buffer(const char* first, const char* last, Int& value) noexcept {
  if (likely(parse_token_in_turn(first, last, value))) return std::errc{};
  std::uint64_t bits;
  const std::errc code = parse_integer(first, last, range_of<Int>, bits);
  if (likely(code == std::errc{})) value = static_cast<Int>(bits);
  return code;
}

#if defined(__SIZEOF_INT128__)
// 17 to 38 digits, which 128 bits always hold, sixteen at a time; false where they are others, or not all digits.
//   12345678901234567890123456789012345678  =  (1234567890123456 * 10^16 + 7890123456789012) * 10^6 + 345678
// The last group is the end of the last sixteen bytes, so nothing outside of the token is read.
template <class Wide>
HEADRACE_INLINE bool join_long_token(const char* first, const char* last, Wide& magnitude) noexcept {
  const auto length = static_cast<std::size_t>(last - first);
  if (unlikely(length - 17 > 21)) return false;
  const std::size_t tail = (length - 1) % 16 + 1;
  std::uint64_t top, middle = 0, low;
  if (!sixteen_characters::join_digits(first + 16, 16, top)) return false;
  if (!sixteen_characters::join_digits(last, tail, low)) return false;
  magnitude = top;
  if (likely(length > 32)) {
    if (!sixteen_characters::join_digits(first + 32, 16, middle)) return false;
    magnitude = magnitude * powers_of_ten[16] + middle;
  }
  magnitude = magnitude * powers_of_ten[tail] + low;
  return true;
}
#endif

// A whole token, [first, last) without whitespace, to any type.
template <class Value>
__attribute__((noinline)) std::errc parse_token(const char* first, const char* last, Value& value) noexcept {
  if constexpr (is_integer<Value> && sizeof(Value) <= 8) {
    std::uint64_t bits;
    const std::errc code = parse_any_integer(first, last, range_of<Value>, bits);
    if (code == std::errc{}) value = static_cast<Value>(bits);
    return code;
  } else {
#if defined(__SIZEOF_INT128__)
    if constexpr (is_integer<Value>) {
      const bool negative = first != last && *first == '-';
      magnitude_t<Value> magnitude;
      if (join_long_token(first + negative, last, magnitude) && assign_if_fits(value, magnitude, negative)) {
        return std::errc{};
      }
    }
#endif
    Value parsed{};
    const parse_result result = parse(first, last, parsed);
    if (result.ptr != last) return std::errc::invalid_argument;
    if (result.ec == std::errc{}) value = parsed;
    return result.ec;
  }
}

// 0 and 1 without a call.
HEADRACE_INLINE std::errc parse_token_in_buffer(const char* first, const char* last, bool& value) noexcept {
  if (unlikely(last - first != 1 || (*first | 1) != '1')) return parse_token(first, last, value);
  value = *first == '1';
  return std::errc{};
}

#if defined(__SIZEOF_INT128__)
template <class Wide, std::enable_if_t<is_wide_integer<Wide>, int> = 0>
HEADRACE_INLINE std::errc parse_token_in_buffer(const char* first, const char* last, Wide& value) noexcept {
  return parse_token(first, last, value);
}
#endif

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
