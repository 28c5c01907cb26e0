// headrace/replace/values.hpp: values and lines that the drop-ins' streams read and write in their buffers. Not for
// users.
//
// Each function either does all of it in the buffer, or nothing; the standard library's operator is then called. Read
// is what every standard library reads alike: a number with whitespace after it, of few characters, in range. Left to
// the standard library are other bases, showpos, uppercase, hexfloat, and numbers with internal adjustment.
//
// A stream From or To has
//   reads_plainly(), writes_plainly()   nothing is wrong, and nobody changed how values are read or written
//   may_look()                          nothing is wrong
//   window(), take_up_to(place, window) the bytes that it holds; moves past some of them
//   room_for(size), put_up_to(place)    where so many bytes may be written, or nullptr; moves past them
//   put_text(text, size)                false, and nothing is written, where it does not fit
#pragma once

#include <cstddef>
#include <cstring>
#include <iomanip>
#include <ios>
#include <istream>
#include <limits>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>

#include "../config.hpp"
#include "../format.hpp"
#include "../parse.hpp"
#include "../detail/read_digits.hpp"
#include "general_float.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

template <class T>
constexpr bool is_short_or_longer =
    is_one_of<T, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long>;

template <class T>
constexpr bool is_char = is_one_of<T, char, signed char, unsigned char>;
template <class T>
constexpr bool is_char_pointer = std::is_pointer_v<T> && is_char<std::remove_const_t<std::remove_pointer_t<T>>>;

template <class T>
constexpr bool is_string = false;
template <class Allocator>
constexpr bool is_string<std::basic_string<char, std::char_traits<char>, Allocator>> = true;

// setw, setfill and the like have types of the library's own; they change the stream, and read and write nothing.
template <class T>
constexpr bool is_manipulator =
    is_one_of<T, decltype(std::setw(0)), decltype(std::setprecision(0)), decltype(std::setfill(' ')),
              decltype(std::setbase(10)), decltype(std::setiosflags(std::ios_base::dec)),
              decltype(std::resetiosflags(std::ios_base::dec))>;

template <class T>
constexpr bool is_read_here = is_short_or_longer<T> || is_float<T> || is_char<T> || is_string<T>;
template <class T>
constexpr bool is_written_here = is_short_or_longer<T> || is_one_of<T, float, double, bool> || is_char<T> ||
                                 is_char_pointer<T> || std::is_same_v<T, std::string_view> || is_string<T>;

// The text that a stream holds. `is_all`: nothing comes after `end`.
struct text_window {
  const char* begin;
  const char* end;
  bool is_all;
};

// Longer numbers are left to the standard library: libc++ cuts them at forty characters.
inline constexpr std::ptrdiff_t longest_number = 32;

// Each of the following reads a value after whitespace, and returns where it ends, or nullptr with `value` as it was.

// A number that ends with the window counts only where no more can follow.
template <class Integer>
HEADRACE_INLINE const char* read_integer(const text_window& text, Integer& value) {
  const char* const at = skip_whitespace(text.begin, text.end);
  Integer number;
  const parse_result parsed = parse(at, text.end, number);
  if (unlikely(parsed.ec != std::errc{} || parsed.ptr - at >= longest_number)) return nullptr;
  if (unlikely(parsed.ptr == text.end && !text.is_all)) return nullptr;
  value = number;
  return parsed.ptr;
}

// Digits with at most one point, and an exponent, with whitespace after it: nothing that begins with a letter, which
// the libraries read apart, and no subnormal number, which is an error to libc++.
template <class Float>
const char* read_float(const text_window& text, Float& value) {
  const char* const at = skip_whitespace(text.begin, text.end);
  const char* const digits = at + (at != text.end && *at == '-');
  if (digits == text.end || (!is_digit(*digits) && *digits != '.')) return nullptr;
  Float number;
  const parse_result parsed = parse(at, text.end, number);
  if (unlikely(parsed.ec != std::errc{} || parsed.ptr - at >= longest_number)) return nullptr;
  if (unlikely(number != 0 && (number < 0 ? -number : number) < std::numeric_limits<Float>::min())) return nullptr;
  if (unlikely(parsed.ptr == text.end ? !text.is_all : !is_whitespace(*parsed.ptr))) return nullptr;
  value = number;
  return parsed.ptr;
}

// As assign(), which is a call; a string that is as long already has its length changed in place.
template <class Traits, class Allocator>
HEADRACE_INLINE void assign_text(std::basic_string<char, Traits, Allocator>& to, const char* from, std::size_t size) {
  if (size > to.size()) {
    to.assign(from, size);
  } else {
    std::memcpy(to.data(), from, size);
    to.resize(size);
  }
}

template <class String>
const char* read_word(const text_window& text, String& word) {
  const char* const at = skip_whitespace(text.begin, text.end);
  [[maybe_unused]] bool high;
  const char* const last = end_of_word(at, text.end, high);
  if (unlikely(last == at || (last == text.end && !text.is_all))) return nullptr;
  assign_text(word, at, static_cast<std::size_t>(last - at));
  return last;
}

template <class From, class T>
HEADRACE_INLINE bool take_value(From& from, T& value) {
  if (unlikely(!from.reads_plainly())) return false;
  const text_window text = from.window();
  const char* last = nullptr;
  if constexpr (is_short_or_longer<T>) {
    last = read_integer(text, value);
  } else if constexpr (is_float<T>) {
    last = read_float(text, value);
  } else if constexpr (is_char<T>) {
    const char* const at = skip_whitespace(text.begin, text.end);
    if (unlikely(at == text.end)) return false;
    value = static_cast<T>(*at);
    from.take_up_to(at + 1, {text.begin, nullptr, false});  // does not look further
    return true;
  } else if constexpr (is_string<T>) {
    if (from.width() == 0) last = read_word(text, value);
  }
  if (unlikely(last == nullptr)) return false;
  from.take_up_to(last, text);
  return true;
}

// A line that is held whole, and the delimiter after it.
template <class From>
HEADRACE_INLINE bool take_line(From& from, std::string& line, char delimiter) {
  if (unlikely(!from.may_look())) return false;
  const text_window text = from.window();
  const auto held = static_cast<std::size_t>(text.end - text.begin);
  const void* const place = held == 0 ? nullptr : std::memchr(text.begin, delimiter, held);
  if (unlikely(place == nullptr)) return false;
  const char* const last = static_cast<const char*>(place);
  assign_text(line, text.begin, static_cast<std::size_t>(last - text.begin));
  from.take_up_to(last + 1, {text.begin, nullptr, false});
  return true;
}

// The form that a stream's flags ask for. False for hexfloat.
inline bool form_of(std::ios_base::fmtflags flags, float_form& form) {
  const auto style = flags & std::ios_base::floatfield;
  form = style == std::ios_base::fixed        ? float_form::fixed
         : style == std::ios_base::scientific ? float_form::scientific
                                              : float_form::general;
  return style != std::ios_base::floatfield;
}

// Whether the flags ask for nothing but what the functions below look at themselves.
inline bool is_plain_format(std::ios_base::fmtflags flags) {
  constexpr auto looked_at =
      std::ios_base::skipws | std::ios_base::adjustfield | std::ios_base::floatfield | std::ios_base::boolalpha;
  return (flags & ~looked_at) == std::ios_base::dec;
}

// Text with what the stream's width asks for around it.
template <class To>
bool put_padded(To& to, const char* text, std::size_t size) {
  const auto width = static_cast<std::size_t>(to.width());
  if (width <= size) {
    if (!to.put_text(text, size)) return false;
  } else {
    char* at = to.room_for(width);
    if (at == nullptr) return false;
    const bool left = (to.flags() & std::ios_base::adjustfield) == std::ios_base::left;
    if (size != 0) std::memcpy(left ? at : at + (width - size), text, size);
    std::memset(left ? at + size : at, to.fill(), width - size);
    to.put_up_to(at + width);
  }
  to.width(0);
  return true;
}

// Numbers apart: internal adjustment puts the padding after the sign.
template <class To>
bool put_number(To& to, const char* text, std::size_t size) {
  if ((to.flags() & std::ios_base::adjustfield) == std::ios_base::internal) return false;
  return put_padded(to, text, size);
}

template <class To>
HEADRACE_INLINE bool put_string(To& to, const char* text, std::size_t size) {
  return likely(to.width() == 0) ? to.put_text(text, size) : put_padded(to, text, size);
}

template <class To, class Integer>
HEADRACE_INLINE bool put_integer(To& to, Integer value) {
  constexpr std::size_t room = max_length<Integer> + write_padding;
  char text[room];
  if (char* const at = to.room_for(room); likely(at != nullptr && to.width() == 0)) {
    if constexpr (To::keeps_what_follows) std::memcpy(text, at, room);
    char* const last = write_integer(at, value);
    if constexpr (To::keeps_what_follows) std::memcpy(last, text + (last - at), write_padding);
    to.put_up_to(last);
    return true;
  }
  return put_number(to, text, static_cast<std::size_t>(write_integer(text, value) - text));
}

// float is written as double is.
template <class To>
bool put_float(To& to, double value) {
  char text[longest_float];
  float_form form;
  if (unlikely(!form_of(to.flags(), form) || to.precision() > most_digits)) return false;
  const char* const last = write_formed(text, value, form, static_cast<int>(to.precision()));
  return likely(last != nullptr) && put_number(to, text, static_cast<std::size_t>(last - text));
}

template <class To, class T>
HEADRACE_INLINE bool put_value(To& to, const T& value) {
  if constexpr (is_written_here<T>) {
    if (unlikely(!to.writes_plainly())) return false;
  }
  if constexpr (is_short_or_longer<T>) {
    return put_integer(to, value);
  } else if constexpr (is_one_of<T, float, double>) {
    return put_float(to, static_cast<double>(value));
  } else if constexpr (std::is_same_v<T, bool>) {
    const char digit = value ? '1' : '0';
    return (to.flags() & std::ios_base::boolalpha) == 0 && put_number(to, &digit, 1);
  } else if constexpr (is_char<T>) {
    const char byte = static_cast<char>(value);
    return put_string(to, &byte, 1);
  } else if constexpr (is_char_pointer<T>) {
    const auto* const text = reinterpret_cast<const char*>(value);
    return likely(text != nullptr) && put_string(to, text, std::strlen(text));
  } else if constexpr (is_written_here<T>) {
    return put_string(to, value.data(), value.size());
  } else {
    return false;
  }
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
