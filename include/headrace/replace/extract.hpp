// headrace/replace/extract.hpp: cin >> value and getline, of what the buffer holds whole. Not for users.
//
// Each function looks at the buffer, and either takes a value from it or calls the standard library with nothing taken.
// It takes what every standard library reads alike: a number with whitespace after it, of few characters, in range.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

#include "../config.hpp"
#include "../detail/read_digits.hpp"
#include "input.hpp"
#include "usual.hpp"
#include "words.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

template <class Integer, std::enable_if_t<is_short_or_longer<Integer>, int> = 0>
HEADRACE_INLINE input& operator>>(input& from, Integer& value) {
  if (likely(from.is_plain())) {
    const char* const after = read_usual_integer(from.buffer.here(), from.buffer.end(), false, value);
    if (likely(after != nullptr)) {
      from.buffer.move_to(after);
      return from;
    }
  }
  static_cast<std::istream&>(from) >> value;
  return from;
}

template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
input& operator>>(input& from, Float& value) {
  if (likely(from.is_plain())) {
    const char* const after = read_usual_float(from.buffer.here(), from.buffer.end(), false, value);
    if (likely(after != nullptr)) {
      from.buffer.move_to(after);
      return from;
    }
  }
  static_cast<std::istream&>(from) >> value;
  return from;
}

template <class Char, std::enable_if_t<is_one_of<Char, char, signed char, unsigned char>, int> = 0>
HEADRACE_INLINE input& operator>>(input& from, Char& value) {
  if (likely(from.is_plain())) {
    const char* const end = from.buffer.end();
    const char* const at = skip_whitespace(from.buffer.here(), end);
    if (likely(at != end)) {
      value = static_cast<Char>(*at);
      from.buffer.move_to(at + 1);
      return from;
    }
  }
  static_cast<std::istream&>(from) >> value;
  return from;
}

template <class Traits, class Allocator>
input& operator>>(input& from, std::basic_string<char, Traits, Allocator>& word) {
  if (likely(from.is_plain() && from.width() == 0)) {
    const char* const end = from.buffer.end();
    const char* const at = skip_whitespace(from.buffer.here(), end);
    [[maybe_unused]] bool high;
    const char* const last = end_of_word(at, end, high);
    if (likely(last != end)) {
      assign_text(word, at, static_cast<std::size_t>(last - at));
      from.buffer.move_to(last);
      return from;
    }
  }
  static_cast<std::istream&>(from) >> word;
  return from;
}

inline input& operator>>(input& from, std::istream& (*manipulator)(std::istream&)) {
  manipulator(from);
  return from;
}
inline input& operator>>(input& from, std::ios_base& (*manipulator)(std::ios_base&)) {
  manipulator(from);
  return from;
}

inline input& read_line(input& from, std::string& line, char delimiter) {
  if (likely(from.may_look())) {
    const char* const at = from.buffer.here();
    const auto held = static_cast<std::size_t>(from.buffer.end() - at);
    if (const void* const found = held == 0 ? nullptr : std::memchr(at, delimiter, held)) {
      const char* const last = static_cast<const char*>(found);
      assign_text(line, at, static_cast<std::size_t>(last - at));
      from.buffer.move_to(last + 1);
      return from;
    }
  }
  std::getline(static_cast<std::istream&>(from), line, delimiter);
  return from;
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
