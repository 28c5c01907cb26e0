// headrace/detail/plain_decimal.hpp: digits with at most one point, as nearly every number is written, without a loop.
// Not for users.
#pragma once

#include <cstddef>
#include <cstdint>

#include "read_digits.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// significand * 10^exponent.
struct plain_decimal {
  std::uint64_t significand;
  std::int64_t exponent;
};

// The constants that find, take apart and join digits (see read_digits.hpp), in memory: as immediate values they are a
// tenth of the instructions.
struct digit_joiner {
  std::uint64_t to_digits[2] = {every_byte('0'), every_byte('0') ^ '-' ^ '0'};  // by xor; a minus in front to a zero
  std::uint64_t above_nine = every_byte(0x76);
  std::uint64_t top_bits = every_byte(0x80);
  std::uint64_t below_minus = every_byte(0x7f + '-');
  std::uint64_t pairs = 0x00FF00FF00FF00FFu, fours = 0x0000FFFF0000FFFFu, eights = 0x0000271000000001u;

  // Top bit of the first byte below a minus, as whitespace and a comma are; and of any bytes after it.
  HEADRACE_INLINE std::uint64_t find_end(std::uint64_t text) const noexcept { return (below_minus - text) & top_bits; }
  HEADRACE_INLINE std::uint64_t not_digits(std::uint64_t digits) const noexcept {
    return (digits | (digits + above_nine)) & top_bits;
  }
  // As join_eight_in_steps().
  HEADRACE_INLINE std::uint64_t join(std::uint64_t digits) const noexcept {
    digits = (digits * 10 + (digits >> 8)) & pairs;
    digits = (digits * 0x00640001 >> 16) & fours;
    return digits * eights >> 32;
  }
  // Joins the digits before the first byte that is none; they have `bits` bits, 8 to 56.
  HEADRACE_INLINE std::uint64_t join_first(std::uint64_t digits, unsigned bits) const noexcept {
    return join(digits << ((64 - bits) & 63));
  }
};
inline constexpr digit_joiner joiner{};

// The same, so that a compiler does not make immediate values of it.
HEADRACE_INLINE const digit_joiner& joiner_in_memory() noexcept {
  const digit_joiner* hidden = &joiner;
  asm("" : "+r"(hidden));
  return *hidden;
}

HEADRACE_INLINE unsigned bits_before(std::uint64_t wrong) noexcept {
  return static_cast<unsigned>(__builtin_ctzll(wrong)) & ~7u;
}

// The first eight bytes of what may be a number.
struct number_head {
  std::uint64_t text;
  std::uint64_t digits;    // less '0', by xor; a minus is a leading zero
  std::uint64_t negative;  // or 1; as wide as what it is loaded for, or else the load waits for the store
};

// Random signs would be mispredicted every second time, and a compiler that knew what `negative` is would branch.
HEADRACE_INLINE number_head load_head(const char* first) noexcept {
  const std::uint64_t text = load_eight(first);
  std::size_t negative = (text & 0xff) == '-';
  asm("" : "+r"(negative));
  return {text, text ^ joiner_in_memory().to_digits[negative], negative};
}

// A token of up to seven bytes whose end is found by one look, as the next token waits for it: at the first byte that
// is less than a minus. Digits that something else ends are none of these.
//     "-12.5 "   ->  . . . 0 1 2 p 5    p the point; returns where the token ends
HEADRACE_INLINE const char* find_short_end(const char* first, const number_head& head, std::uint64_t& digits) noexcept {
  const std::uint64_t ends = joiner_in_memory().find_end(head.text);
  if (ends == 0) return nullptr;
  const auto bits = static_cast<unsigned>(__builtin_ctzll(ends));  // 7 and 8 for each byte before the end
  digits = head.digits << ((7 - bits) & 63);
  return first + bits / 8;
}

// A minus or none, and digits with at most one point, which is among the first eight bytes; no more than 64 bits hold.
// Returns where they end; null: it is of another shape, or none. Reads the 24 bytes from `first` at most, and without a
// loop, so that a processor finds the next number while it computes this one.
//     "-12.3456789 "    a minus is a leading zero; the point is taken out of the first eight bytes, by what is before
//                       it moving up; the next eight
//                       . 0 1 2 3 4 5 6    7 8 9
HEADRACE_INLINE const char* parse_plain(const char* first, const number_head& head, plain_decimal& number) noexcept {
  const digit_joiner& k = joiner_in_memory();
  const std::uint64_t text = head.digits, wrong = k.not_digits(text);
  number.exponent = 0;
  if (unlikely(wrong == 0)) {  // a whole number of eight to fifteen digits
    const std::uint64_t more = load_eight(first + 8) ^ k.to_digits[0], end = k.not_digits(more);
    if (unlikely(end == 0)) return nullptr;
    const unsigned bits = bits_before(end);
    const std::uint64_t whole = k.join(text) * powers_of_ten[bits / 8] + k.join(more << 8 << (56 - bits));
    first += 8 + bits / 8;
    number.significand = whole;
    if (likely(*first != '.')) return first;
    // and up to seven places
    const std::uint64_t places = load_eight(first + 1) ^ k.to_digits[0], last = k.not_digits(places);
    if (unlikely(last == 0)) return nullptr;
    const unsigned count = bits_before(last) / 8;
    if (unlikely(whole >= powers_of_ten[19 - count])) return nullptr;
    number.significand = whole * powers_of_ten[count] + k.join(places << 8 << (56 - 8 * count));
    number.exponent = -static_cast<int>(count);
    return first + 1 + count;
  }
  const auto point = static_cast<unsigned>(__builtin_ctzll(wrong));  // 7 and 8 for each byte before it
  const std::uint64_t after = wrong & (wrong - 1);
  if (unlikely(after != 0) || unlikely(first[point / 8] != '.')) {
    const unsigned least_bits = 1 + 8 * static_cast<unsigned>(head.negative);
    const unsigned whole = point & ~7u;
    if (first[point / 8] != '.') {  // one of up to seven
      if (unlikely(whole < least_bits)) return nullptr;
      number.significand = k.join_first(text, whole);
      return first + whole / 8;
    }
    const unsigned bits = bits_before(after);
    if (unlikely(bits < 8 + least_bits)) return nullptr;
    number.significand = k.join_first(close_point(text, wrong & (0 - wrong)), bits);
    number.exponent = -static_cast<int>((bits - whole) / 8 - 1);
    return first + bits / 8;
  }
  // 1. without the point: the first byte becomes a leading zero
  std::uint64_t sum = k.join(close_point(text, wrong));
  std::int64_t exponent = static_cast<std::int64_t>(point / 8) - 7;
  // 2. up to eight more, or up to fifteen
  std::uint64_t more = load_eight(first + 8) ^ k.to_digits[0], end = k.not_digits(more);
  first += 8;
  if (likely(end == 0)) {
    sum = sum * 100000000 + k.join(more);
    exponent -= 8;
    first += 8;
    more = load_eight(first) ^ k.to_digits[0];
    end = k.not_digits(more);
    if (unlikely(end == 0)) return nullptr;
  }
  const auto rest = static_cast<unsigned>(__builtin_ctzll(end));
  const std::uint64_t count = rest / 8;
  if (unlikely(rest > 39 && sum >= powers_of_ten[19 - count])) return nullptr;
  number.significand = sum * powers_of_ten[count] + k.join(more << 8 << (63 - rest));
  number.exponent = exponent - static_cast<std::int64_t>(count);
  return first + count;
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
