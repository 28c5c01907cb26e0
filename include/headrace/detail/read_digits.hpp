// headrace/detail/read_digits.hpp: eight bytes at a time, as one 64-bit integer: what is whitespace, what is a digit,
// and what is the number. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../config.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Whitespace separates tokens: space, \t \n \v \f \r, and nothing else (as isspace in the "C" locale).
constexpr bool is_whitespace(char byte) noexcept { return byte == ' ' || static_cast<unsigned char>(byte - 9) < 5; }
constexpr bool is_digit(char byte) noexcept { return static_cast<unsigned char>(byte - '0') < 10; }

// The first byte from `at` that is no whitespace, or `end`.
HEADRACE_INLINE const char* skip_whitespace(const char* at, const char* end) noexcept {
  while (at != end && is_whitespace(*at)) ++at;
  return at;
}

// Eight bytes as one number whose lowest byte is the first of them, on any processor.
HEADRACE_INLINE std::uint64_t load_eight(const char* from) noexcept {
  std::uint64_t bytes;
  __builtin_memcpy(&bytes, from, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  bytes = __builtin_bswap64(bytes);
#endif
  return bytes;
}

constexpr std::uint64_t every_byte(std::uint64_t byte) noexcept { return byte * 0x0101010101010101u; }

// Top bit of each byte that is whitespace, exactly (no borrow from a neighbour).
constexpr std::uint64_t find_whitespace(std::uint64_t text) noexcept {
  const std::uint64_t low = text & every_byte(0x7f);
  const std::uint64_t no_space = (low ^ every_byte(' ')) + every_byte(0x7f);
  const std::uint64_t from_tab = low + every_byte(0x80 - 9);
  const std::uint64_t above_return = low + every_byte(0x80 - 14);
  return (~no_space | (from_tab & ~above_return)) & ~text & every_byte(0x80);
}

// The first byte from `first` that is whitespace, or `last`. May read 7 bytes after `last`.
inline const char* find_whitespace(const char* first, const char* last) noexcept {
  for (; first < last; first += 8) {
    const std::uint64_t found = find_whitespace(load_eight(first));
    if (found != 0) {
      first += __builtin_ctzll(found) / 8;
      break;
    }
  }
  return first < last ? first : last;
}

// The first whitespace from `at` on, or `end`; reads nothing after that. `high` is true where a byte of 0x80 or more is
// before it, or close after.
HEADRACE_INLINE const char* end_of_word(const char* at, const char* end, bool& high) noexcept {
  std::uint64_t all = 0;
  for (; end - at >= 8; at += 8) {
    const std::uint64_t bytes = load_eight(at);
    all |= bytes;
    // The top bit of each byte up to a space; above the lowest of these bits there may be wrong ones (Alan Mycroft,
    // 1987).
    std::uint64_t low = (bytes - every_byte(' ' + 1)) & ~bytes & every_byte(0x80);
    for (; low != 0; low &= low - 1) {
      const char* const place = at + (__builtin_ctzll(low) >> 3);
      if (is_whitespace(*place)) {
        high = (all & every_byte(0x80)) != 0;
        return place;
      }
    }
  }
  for (; at != end && !is_whitespace(*at); ++at) all |= static_cast<unsigned char>(*at);
  high = (all & every_byte(0x80)) != 0;
  return at;
}

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

// The last steps, from four pairs of digits, 16 bits each.
constexpr std::uint32_t join_pairs(std::uint64_t pairs) noexcept {
  const std::uint64_t fours = (pairs * 0x00640001 >> 16) & 0x0000FFFF0000FFFFu;
  return static_cast<std::uint32_t>(fours * 0x0000271000000001u >> 32);
}

// join_eight_digits() in fewer instructions, each of which waits for the one before.
constexpr std::uint32_t join_eight_in_steps(std::uint64_t digits) noexcept {
  return join_pairs((digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FFu);
}
// Seven digits, the first in the lowest byte; whatever the top byte is.
constexpr std::uint32_t join_seven_digits(std::uint64_t digits) noexcept {
  return join_pairs((digits + (digits * 10 << 8)) & 0x00FF00FF00FF00FFu);
}

// The digits without the point, whose top bit is `point`: those before it move up by one byte, below a zero. (No digit
// has its top bit.)
HEADRACE_INLINE std::uint64_t close_point(std::uint64_t digits, std::uint64_t point) noexcept {
  return (digits & (point - 1) >> 8) << 8 | (digits & (0 - point));
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
    100000000000000000,
    1000000000000000000,
    10000000000000000000u,
};

// Four to seven bytes as load_eight() gives them, the rest zero: two loads that overlap.
HEADRACE_INLINE std::uint64_t load_fewer(const char* from, std::size_t size) noexcept {
  std::uint32_t low, high;
  __builtin_memcpy(&low, from, 4);
  __builtin_memcpy(&high, from + size - 4, 4);
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
// for the last few. Reads nothing after `last`, or at most eight bytes when that is `Padded`.
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

// All bits of the last n of sixteen bytes are set in those from n on; of all of them, for n up to 20.
alignas(64) inline constexpr char last_of_sixteen[] =
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
