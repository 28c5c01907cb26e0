// headrace/detail/format_impl.hpp: how integers are written. Not for users.
#pragma once

#include "../format.hpp"
#include "write_digits.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {

namespace detail {

// A writer puts these straight into its buffer. Room needed: 64 bytes, for a string literal its size.
HEADRACE_INLINE char* write_short(char* to, char value) noexcept {
  *to = value;
  return to + 1;
}
HEADRACE_INLINE char* write_short(char* to, bool value) noexcept {
  *to = static_cast<char>('0' + value);
  return to + 1;
}
inline char* write_short(char* to, word_bool word) noexcept {
  __builtin_memcpy(to, word.value ? "true" : "false", 5);
  return to + (word.value ? 4 : 5);
}
template <class Integer, class = std::enable_if_t<is_integer<Integer>>>
HEADRACE_INLINE char* write_short(char* to, Integer value) noexcept {
  return write_integer(to, value);
}

// How far a bulk kernel may write past the end of its text.
inline constexpr std::size_t bulk_write_padding = 64;

// Writes `count` integers, `separator` after each. The scalar one of the kernels in simd/: same signature, same
// room needed: count * (max_length<Integer> + 1) + bulk_write_padding.
template <class Integer>
char* write_integers_scalar(char* to, const Integer* values, std::size_t count, char separator) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    to = write_integer(to, values[i]);
    *to++ = separator;
  }
  return to;
}

// The longest text of a float or double: -1.2345678901234567e-100.
inline constexpr std::size_t max_float_length = 24;

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
  __builtin_memcpy(first, from, size);
  return {first + size, std::errc{}};
}

// With the contract of format().
template <class Float>
format_result format_shortest(char* first, char* last, Float value) noexcept;

}  // namespace detail

template <class Number>
format_result format(char* first, char* last, Number value) noexcept {
  static_assert(detail::is_integer<Number> || detail::is_float<Number>,
                "headrace::format takes integers and floating point");
  if constexpr (detail::is_float<Number>) {
    return detail::format_shortest(first, last, value);
  } else {
    constexpr std::size_t room = detail::max_length<Number> + detail::write_padding;
    if (detail::likely(static_cast<std::size_t>(last - first) >= room)) {
      return {detail::write_integer(first, value), std::errc{}};
    }
    char text[48];  // more than `room`: compilers do not see that a short type takes the short ways only
    return detail::copy_out(first, last, text, static_cast<std::size_t>(detail::write_integer(text, value) - text));
  }
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

}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END

#include "format_float.hpp"
