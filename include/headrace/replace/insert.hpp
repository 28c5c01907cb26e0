// headrace/replace/insert.hpp: cout << value, straight into the buffer. Not for users.
//
// As in extract.hpp, what is not usual is left to the standard library: other bases, showpos, uppercase, hexfloat,
// internal adjustment, and what does not fit the buffer.
#pragma once

#include <cstddef>
#include <cstring>
#include <iomanip>
#include <string>
#include <string_view>
#include <type_traits>

#include "../config.hpp"
#include "../format.hpp"
#include "extract.hpp"
#include "general_float.hpp"
#include "output.hpp"
#include "usual.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// Writes text with what the stream's width asks for around it. False, and nothing is written, where it does not fit.
inline bool put_text(output& to, const char* text, std::size_t size) {
  const auto width = static_cast<std::size_t>(to.width());
  const std::size_t padding = width > size ? width - size : 0;
  if (unlikely(padding > to.buffer.room() || to.buffer.room() - padding < size)) return false;
  char* at = to.buffer.here();
  const bool left = (to.flags() & std::ios_base::adjustfield) == std::ios_base::left;
  if (padding != 0 && !left) at = static_cast<char*>(std::memset(at, to.fill(), padding)) + padding;
  if (size != 0) std::memcpy(at, text, size);
  at += size;
  if (padding != 0 && left) at = static_cast<char*>(std::memset(at, to.fill(), padding)) + padding;
  to.buffer.move_to(at);
  to.width(0);
  return true;
}

// Numbers apart: internal adjustment puts the padding after the sign.
inline bool put_number(output& to, const char* text, std::size_t size) {
  if ((to.flags() & std::ios_base::adjustfield) == std::ios_base::internal) return false;
  return put_text(to, text, size);
}

template <class Integer, std::enable_if_t<is_short_or_longer<Integer>, int> = 0>
HEADRACE_INLINE output& operator<<(output& to, Integer value) {
  constexpr std::size_t room = max_length<Integer> + write_padding;
  if (likely(to.is_plain())) {
    if (likely(to.width() == 0 && to.buffer.room() >= room)) {
      to.buffer.move_to(write_integer(to.buffer.here(), value));
      return to;
    }
    char text[room];
    if (put_number(to, text, static_cast<std::size_t>(write_integer(text, value) - text))) return to;
  }
  static_cast<std::ostream&>(to) << value;
  return to;
}

// float is written as double is.
template <class Float, std::enable_if_t<is_one_of<Float, float, double>, int> = 0>
output& operator<<(output& to, Float value) {
  char text[longest_float];
  float_form form;
  if (likely(to.is_plain() && form_of(to.flags(), form) && to.precision() <= most_digits)) {
    const char* const end = write_formed(text, static_cast<double>(value), form, static_cast<int>(to.precision()));
    if (likely(end != nullptr) && put_number(to, text, static_cast<std::size_t>(end - text))) return to;
  }
  static_cast<std::ostream&>(to) << value;
  return to;
}

// A template, as those below, so that what only converts to bool, char or a string does not come here.
template <class Bool, std::enable_if_t<std::is_same_v<Bool, bool>, int> = 0>
output& operator<<(output& to, Bool value) {
  const char digit = value ? '1' : '0';
  const bool is_word = (to.flags() & std::ios_base::boolalpha) != 0;
  if (likely(to.is_plain() && !is_word) && put_number(to, &digit, 1)) return to;
  static_cast<std::ostream&>(to) << value;
  return to;
}

template <class Char, std::enable_if_t<is_one_of<Char, char, signed char, unsigned char>, int> = 0>
HEADRACE_INLINE output& operator<<(output& to, Char value) {
  const char byte = static_cast<char>(value);
  if (likely(to.is_plain())) {
    if (likely(to.width() == 0 && to.buffer.room() != 0)) {
      *to.buffer.here() = byte;
      to.buffer.move_to(to.buffer.here() + 1);
      return to;
    }
    if (put_text(to, &byte, 1)) return to;
  }
  static_cast<std::ostream&>(to) << value;
  return to;
}

HEADRACE_INLINE output& put_string(output& to, std::string_view text) {
  if (likely(to.is_plain() && to.width() == 0 && to.buffer.room() >= text.size())) {
    if (!text.empty()) std::memcpy(to.buffer.here(), text.data(), text.size());
    to.buffer.move_to(to.buffer.here() + text.size());
    return to;
  }
  if (unlikely(!to.is_plain() || !put_text(to, text.data(), text.size()))) static_cast<std::ostream&>(to) << text;
  return to;
}

template <class Char, std::enable_if_t<is_one_of<Char, char, signed char, unsigned char>, int> = 0>
HEADRACE_INLINE output& operator<<(output& to, const Char* text) {
  if (likely(text != nullptr)) return put_string(to, reinterpret_cast<const char*>(text));
  static_cast<std::ostream&>(to) << text;
  return to;
}
template <class Allocator>
output& operator<<(output& to, const std::basic_string<char, std::char_traits<char>, Allocator>& text) {
  return put_string(to, {text.data(), text.size()});
}
template <class Traits, std::enable_if_t<std::is_same_v<Traits, std::char_traits<char>>, int> = 0>
output& operator<<(output& to, std::basic_string_view<char, Traits> text) {
  return put_string(to, text);
}

// Which could be a manipulator, too.
inline output& operator<<(output& to, std::nullptr_t null) {
  static_cast<std::ostream&>(to) << null;
  return to;
}

HEADRACE_INLINE output& operator<<(output& to, std::ostream& (*manipulator)(std::ostream&)) {
  if (manipulator == &std::endl<char, std::char_traits<char>>) {
    to.put('\n');
    to.flush();
  } else {
    manipulator(to);
  }
  return to;
}
HEADRACE_INLINE output& operator<<(output& to, std::ios_base& (*manipulator)(std::ios_base&)) {
  manipulator(to);
  return to;
}

// setw, setfill and the like have types of the library's own; they change the stream and write nothing.
template <class Manipulator,
          std::enable_if_t<is_one_of<Manipulator, decltype(std::setw(0)), decltype(std::setprecision(0)),
                                     decltype(std::setfill(' ')), decltype(std::setbase(10)),
                                     decltype(std::setiosflags(std::ios_base::dec)),
                                     decltype(std::resetiosflags(std::ios_base::dec))>,
                           int> = 0>
HEADRACE_INLINE output& operator<<(output& to, Manipulator manipulator) {
  static_cast<std::ostream&>(to) << manipulator;
  return to;
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
