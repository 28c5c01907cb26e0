// headrace/detail/write_digits.hpp: the decimal digits of integers, three or sixteen at a time. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../config.hpp"
#include "digits.hpp"
#include "number_traits.hpp"
#include "simd/sixteen_bytes.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// The longest decimal text of an Integer, sign included.
template <class Integer>
constexpr std::size_t max_length = sizeof(Integer) == 1   ? 4
                                   : sizeof(Integer) == 2 ? 6
                                   : sizeof(Integer) == 4 ? 11
                                   : sizeof(Integer) == 8 ? 20
                                                          : 40;

// The functions below write straight to `to` and return the end. They may touch up to three bytes past it.
inline constexpr std::size_t write_padding = 3;

// value < 1000, without leading zeros.
HEADRACE_INLINE char* write_leading(char* to, std::size_t value) noexcept {
  const char* entry = leading_digits + 4 * value;
  __builtin_memcpy(to, entry, 4);
  return to + (entry[3] - '0');
}

// value < 1000, as three digits.
HEADRACE_INLINE char* write_three(char* to, std::size_t value) noexcept {
  __builtin_memcpy(to, three_digits + 4 * value, 4);
  return to + 3;
}

// Exact for all 32 bits. Spelt out, because compilers make two divisions of a quotient and its remainder.
HEADRACE_INLINE std::size_t divide_by_thousand(std::uint32_t value) noexcept {
  return static_cast<std::size_t>(std::uint64_t{value} * 274877907 >> 38);
}
HEADRACE_INLINE std::size_t divide_by_million(std::uint32_t value) noexcept {
  return static_cast<std::size_t>(std::uint64_t{value} * 1125899907 >> 50);
}

// upper and lower < 1000, as six digits, by one store: a loop that writes short lines is bound by its stores. The space
// after the upper three is in the bits of every digit.
HEADRACE_INLINE char* write_six(char* to, std::size_t upper, std::size_t lower) noexcept {
  std::uint32_t first, second;
  __builtin_memcpy(&first, three_digits + 4 * upper, 4);
  __builtin_memcpy(&second, three_digits + 4 * lower, 4);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  const std::uint64_t six = std::uint64_t{first} << 32 | std::uint64_t{second} << 8;
#else
  const std::uint64_t six = first | std::uint64_t{second} << 24;
#endif
  __builtin_memcpy(to, &six, 8);
  return to + 6;
}

// value < 10^9, as nine digits.
HEADRACE_INLINE char* write_nine(char* to, std::uint32_t value) noexcept {
  const std::size_t thousands = divide_by_thousand(value), millions = divide_by_million(value);
  to = write_three(to, millions);
  to = write_three(to, thousands - millions * 1000);
  return write_three(to, value - thousands * 1000);
}

// value < 10^9, without leading zeros.
HEADRACE_INLINE char* write_below_billion(char* to, std::uint32_t value) noexcept {
  if (value < 1000) return write_leading(to, value);
  const std::size_t thousands = divide_by_thousand(value), last = value - thousands * 1000;
  if (value < 1000000) return write_three(write_leading(to, thousands), last);
  const std::size_t millions = divide_by_million(value);
  return write_six(write_leading(to, millions), thousands - millions * 1000, last);
}

inline constexpr std::uint32_t billion = 1000000000;

HEADRACE_INLINE char* write_unsigned(char* to, std::uint32_t value) noexcept {
  if (likely(value < billion)) return write_below_billion(to, value);
  const std::uint32_t top = value / billion;
  *to = static_cast<char>('0' + top);
  return write_nine(to + 1, value - top * billion);
}

// value < 2000, without leading zeros, and without a branch on how many digits there are.
HEADRACE_INLINE char* write_below_two_thousand(char* to, std::size_t value) noexcept {
  const bool has_four = value >= 1000;
  const char* const entry = (has_four ? three_digits : leading_digits) + 4 * (value - (has_four ? 1000 : 0));
  *to = '1';
  __builtin_memcpy(to + has_four, entry, 4);
  return to + (has_four ? 4 : entry[3] - '0');
}

inline constexpr std::uint64_t ten_quadrillion = 10000000000000000;  // 10^16

// value < 10^16.
HEADRACE_INLINE sixteen_digits split_sixteen(std::uint64_t value) noexcept {
  const auto upper = static_cast<std::uint32_t>(value / 100000000);
  return {upper, static_cast<std::uint32_t>(value) - upper * 100000000};
}

// value < 10^16, as sixteen digits.
HEADRACE_INLINE char* write_sixteen(char* to, std::uint64_t value) noexcept {
  split_sixteen(value).write(to);
  return to + 16;
}

// value >= 2^32. Out of line: it is long, and the call costs little beside it. Numbers of 10 to 16 digits are written
// without a branch on their length, as are those of 17 to 20, which random bits have.
inline __attribute__((noinline)) char* write_long(char* to, std::uint64_t value) noexcept {
  if (value < ten_quadrillion) return split_sixteen(value).write_significant(to);
  const auto top = static_cast<std::size_t>(value / ten_quadrillion);  // at most 1844
  return write_sixteen(write_below_two_thousand(to, top), value - top * ten_quadrillion);
}

HEADRACE_INLINE char* write_unsigned(char* to, std::uint64_t value) noexcept {
  const auto narrow = static_cast<std::uint32_t>(value);
  return likely(narrow == value) ? write_unsigned(to, narrow) : write_long(to, value);
}

// value < 10^18, as eighteen digits.
inline char* write_eighteen(char* to, std::uint64_t value) noexcept {
  const auto top = static_cast<std::size_t>(value / ten_quadrillion);
  __builtin_memcpy(to, three_digits + 4 * top + 1, 2);
  return write_sixteen(to + 2, value - top * ten_quadrillion);
}

#if defined(__SIZEOF_INT128__)
inline constexpr std::uint64_t quintillion = 1000000000000000000;
inline constexpr std::uint64_t fives = 3814697265625;  // 5^18 = 10^18 / 2^18

// value / 10^18, without a division: (value / 2^18) * ceil(2^152 / 5^18) / 2^152, exact for all 128 bits (after T.
// Granlund and P. Montgomery, "Division by invariant integers using multiplication", 1994).
HEADRACE_INLINE uint128 divide_by_quintillion(uint128 value) noexcept {
  constexpr std::uint64_t high = 0x49c97747490e, low = 0xae839d7f99173122;
  const auto upper = static_cast<std::uint64_t>(value >> 82), lower = static_cast<std::uint64_t>(value >> 18);
  const uint128 cross = uint128(upper) * low + uint128(lower) * high + (uint128(lower) * low >> 64);
  return (uint128(upper) * high + (cross >> 64)) >> 24;
}

inline char* write_unsigned(char* to, uint128 value) noexcept {
  if (value >> 64 == 0) return write_unsigned(to, static_cast<std::uint64_t>(value));
  const uint128 upper = divide_by_quintillion(value);
  const auto lower = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(upper) * quintillion;
  const std::uint64_t top = static_cast<std::uint64_t>(upper >> 18) / fives;  // at most 340
  const std::uint64_t middle = static_cast<std::uint64_t>(upper) - top * quintillion;
  if (top == 0) {
    to = write_unsigned(to, middle);
  } else {
    to = write_leading(to, static_cast<std::uint32_t>(top));
    to = write_eighteen(to, middle);
  }
  return write_eighteen(to, lower);
}
#endif

// |value|, in 32 bits where that is enough.
template <class Integer>
HEADRACE_INLINE auto magnitude_of(Integer value) noexcept {
  if constexpr (sizeof(Integer) <= 4) {
    const auto bits = static_cast<std::uint32_t>(value);  // sign-extends
    return value < 0 ? 0 - bits : bits;
  } else {
    const auto bits = static_cast<magnitude_t<Integer>>(value);
    return value < 0 ? 0 - bits : bits;
  }
}

// Room needed: max_length<Integer> + write_padding.
template <class Integer>
HEADRACE_INLINE char* write_integer(char* to, Integer value) noexcept {
  if constexpr (is_signed_integer<Integer>) {
    const bool is_negative = value < 0;
    if (!__builtin_constant_p(is_negative) || is_negative) {
      *to = '-';
    }
    to += is_negative;
    return write_unsigned(to, magnitude_of(value));
  } else if constexpr (sizeof(Integer) <= 4) {
    return write_unsigned(to, static_cast<std::uint32_t>(value));
  } else {
    return write_unsigned(to, static_cast<magnitude_t<Integer>>(value));
  }
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
