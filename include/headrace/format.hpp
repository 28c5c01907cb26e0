// headrace/format.hpp: number -> text, pure. Shaped like std::to_chars: no locale, nothing allocated, nothing
// thrown. Floating point is in format_float.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "config.hpp"
#if __has_include("digits.hpp")
#include "digits.hpp"
#else
#include "short_digits.hpp"
#endif
#include "types.hpp"

namespace headrace {

// What format() returns. Success: `ec` is std::errc{} and `ptr` stands behind the last byte. Too little room: `ec`
// is value_too_large, `ptr` is `last`, and what [first, last) holds is unspecified.
struct format_result {
  char* ptr;
  std::errc ec;
  explicit operator bool() const noexcept { return ec == std::errc{}; }
};

// Writes an integer of 8 to 128 bits to [first, last) in base 2 to 36 (lower-case letters), with '-' before a
// negative one. No terminating zero. signed char and unsigned char are numbers. Any other base: invalid_argument.
template <class Integer>
format_result format(char* first, char* last, Integer value, int base) noexcept;
template <class Integer>
format_result format(char* first, char* last, Integer value) noexcept;

// As manipulators of a writer: out << base(255, 16) writes ff, out << as_word(true) writes true.
template <class Integer>
struct based_integer {
  Integer value;
  int base;
};
template <class Integer>
constexpr based_integer<Integer> base(Integer value, int base) noexcept {
  static_assert(detail::is_integer<Integer>, "headrace::base takes an integer");
  return {value, base};
}

struct word_bool {
  bool value;
};
constexpr word_bool as_word(bool value) noexcept { return {value}; }

// ---------------------------------------------------------------------------------------------------------------

namespace detail {

// The longest decimal text of an Integer, sign included.
template <class Integer>
constexpr std::size_t greatest_length = sizeof(Integer) == 1   ? 4
                                        : sizeof(Integer) == 2 ? 6
                                        : sizeof(Integer) == 4 ? 11
                                        : sizeof(Integer) == 8 ? 20
                                                               : 40;

// The functions below write straight to `to` and return the end. They may touch up to three bytes behind it.
constexpr std::size_t overshoot = 3;

// value < 1000, without leading zeros.
HEADRACE_INLINE char* write_leading(char* to, std::uint32_t value) noexcept {
  const char* entry = leading_digits + 4 * value;
  std::memcpy(to, entry, 4);
  return to + (entry[3] - '0');
}

// value < 1000, as three digits.
HEADRACE_INLINE char* write_three(char* to, std::uint32_t value) noexcept {
  std::memcpy(to, three_digits + 4 * value, 4);
  return to + 3;
}

// value < 10^9, as nine digits.
HEADRACE_INLINE char* write_nine(char* to, std::uint32_t value) noexcept {
  const std::uint32_t thousands = value / 1000;
  const std::uint32_t millions = thousands / 1000;
  to = write_three(to, millions);
  to = write_three(to, thousands - millions * 1000);
  return write_three(to, value - thousands * 1000);
}

// value < 10^9, without leading zeros.
HEADRACE_INLINE char* write_below_billion(char* to, std::uint32_t value) noexcept {
  if (value < 1000) return write_leading(to, value);
  const std::uint32_t thousands = value / 1000;
  if (thousands < 1000) {
    to = write_leading(to, thousands);
  } else {
    const std::uint32_t millions = thousands / 1000;
    to = write_leading(to, millions);
    to = write_three(to, thousands - millions * 1000);
  }
  return write_three(to, value - thousands * 1000);
}

constexpr std::uint32_t billion = 1000000000;

HEADRACE_INLINE char* write_unsigned(char* to, std::uint32_t value) noexcept {
  if (likely(value < billion)) return write_below_billion(to, value);
  const std::uint32_t top = value / billion;
  *to = static_cast<char>('0' + top);
  return write_nine(to + 1, value - top * billion);
}

// value >= 2^32. Out of line: it is long, and the call costs little beside it.
inline __attribute__((noinline)) char* write_long(char* to, std::uint64_t value) noexcept {
  const std::uint64_t upper = value / billion;
  if (upper < billion) {
    to = write_below_billion(to, static_cast<std::uint32_t>(upper));
  } else {
    const std::uint64_t top = upper / billion;  // at most 18
    to = write_leading(to, static_cast<std::uint32_t>(top));
    to = write_nine(to, static_cast<std::uint32_t>(upper - top * billion));
  }
  return write_nine(to, static_cast<std::uint32_t>(value - upper * billion));
}

HEADRACE_INLINE char* write_unsigned(char* to, std::uint64_t value) noexcept {
  const auto narrow = static_cast<std::uint32_t>(value);
  return likely(narrow == value) ? write_unsigned(to, narrow) : write_long(to, value);
}

// value < 10^18, as eighteen digits.
inline char* write_eighteen(char* to, std::uint64_t value) noexcept {
  const std::uint64_t upper = value / billion;
  to = write_nine(to, static_cast<std::uint32_t>(upper));
  return write_nine(to, static_cast<std::uint32_t>(value - upper * billion));
}

#if defined(__SIZEOF_INT128__)
inline char* write_unsigned(char* to, uint128 value) noexcept {
  constexpr std::uint64_t quintillion = 1000000000000000000;
  if (value >> 64 == 0) return write_unsigned(to, static_cast<std::uint64_t>(value));
  const uint128 upper = value / quintillion;
  const auto lower = static_cast<std::uint64_t>(value - upper * quintillion);
  if (upper >> 64 == 0) {
    to = write_unsigned(to, static_cast<std::uint64_t>(upper));
  } else {
    const auto top = static_cast<std::uint32_t>(upper / quintillion);  // at most 340
    to = write_leading(to, top);
    to = write_eighteen(to, static_cast<std::uint64_t>(upper - top * uint128{quintillion}));
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

// Room needed: greatest_length<Integer> + overshoot.
template <class Integer>
HEADRACE_INLINE char* write_integer(char* to, Integer value) noexcept {
  if constexpr (is_signed_integer<Integer>) {
    *to = '-';
    to += value < 0;
    return write_unsigned(to, magnitude_of(value));
  } else if constexpr (sizeof(Integer) <= 4) {
    return write_unsigned(to, static_cast<std::uint32_t>(value));
  } else {
    return write_unsigned(to, static_cast<magnitude_t<Integer>>(value));
  }
}

// What a writer puts straight into its buffer; room needed: 64, or more for the widest types.
HEADRACE_INLINE char* write_short(char* to, char value) noexcept {
  *to = value;
  return to + 1;
}
HEADRACE_INLINE char* write_short(char* to, bool value) noexcept {
  *to = static_cast<char>('0' + value);
  return to + 1;
}
inline char* write_short(char* to, word_bool word) noexcept {
  std::memcpy(to, word.value ? "true" : "false", 5);
  return to + (word.value ? 4 : 5);
}
template <std::size_t Size>
HEADRACE_INLINE char* write_short(char* to, const char (&text)[Size]) noexcept {
  const std::size_t size = __builtin_strlen(text);
  std::memcpy(to, text, size);
  return to + size;
}
template <class Integer, class = std::enable_if_t<is_integer<Integer>>>
HEADRACE_INLINE char* write_short(char* to, Integer value) noexcept {
  return write_integer(to, value);
}

// How far a bulk kernel may write behind the end of its text.
constexpr std::size_t integers_overshoot = 64;

// Writes `count` integers, `separator` behind each. The scalar one of the kernels in simd/: same signature, same
// room needed: count * (greatest_length<Integer> + 1) + integers_overshoot.
template <class Integer>
char* write_integers_scalar(char* to, const Integer* values, std::size_t count, char separator) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    to = write_integer(to, values[i]);
    *to++ = separator;
  }
  return to;
}

// The digits of a magnitude in any base, backwards from `end`. Room needed: as many bytes as it has bits.
template <class Magnitude>
char* write_digits_backwards(char* end, Magnitude value, unsigned base) noexcept {
  do {
    const auto digit = static_cast<unsigned>(value % base);
    *--end = "0123456789abcdefghijklmnopqrstuvwxyz"[digit];
    value /= base;
  } while (value != 0);
  return end;
}

inline format_result copy_out(char* first, char* last, const char* from, std::size_t size) noexcept {
  if (static_cast<std::size_t>(last - first) < size) return {last, std::errc::value_too_large};
  std::memcpy(first, from, size);
  return {first + size, std::errc{}};
}

}  // namespace detail

template <class Integer>
format_result format(char* first, char* last, Integer value) noexcept {
  static_assert(detail::is_integer<Integer>, "headrace::format takes integers and floating point");
  constexpr std::size_t room = detail::greatest_length<Integer> + detail::overshoot;
  if (detail::likely(static_cast<std::size_t>(last - first) >= room)) {
    return {detail::write_integer(first, value), std::errc{}};
  }
  char text[48];  // more than `room`: compilers do not see that a short type takes the short ways only
  return detail::copy_out(first, last, text, static_cast<std::size_t>(detail::write_integer(text, value) - text));
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

}  // namespace headrace
