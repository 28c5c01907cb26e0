// headrace/detail/replace/extract.hpp: cin >> value and getline, of what the buffer holds whole. Not for users.
//
// Each function looks at the buffer, and either takes a value from it or calls the standard library with nothing taken.
// It takes what every standard library reads alike: a number with whitespace after it, of few characters, in range.
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "../../config.hpp"
#include "../../parse.hpp"
#include "../read_digits.hpp"
#include "input.hpp"
#include "words.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// Longer numbers are left to the standard library: libc++ cuts them at forty characters.
constexpr std::ptrdiff_t longest_number = 32;

HEADRACE_INLINE const char* skip_whitespace(const char* at, const char* end) {
  while (at != end && is_whitespace(*at)) ++at;
  return at;
}

template <class T>
constexpr bool is_short_or_longer =
    is_one_of<T, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long>;

template <class Integer, std::enable_if_t<is_short_or_longer<Integer>, int> = 0>
HEADRACE_INLINE input& operator>>(input& from, Integer& value) {
  if (likely(from.is_plain())) {
    const char* const end = from.buffer.end();
    const char* const at = skip_whitespace(from.buffer.here(), end);
    Integer number;
    const parse_result found = parse(at, end, number);
    if (likely(found.ec == std::errc{} && found.ptr != end && found.ptr - at < longest_number)) {
      value = number;
      from.buffer.move_to(found.ptr);
      return from;
    }
  }
  static_cast<std::istream&>(from) >> value;
  return from;
}

// Subnormal numbers are an error to libc++.
template <class Float>
bool is_usual(Float number) {
  return number == 0 || (number < 0 ? -number : number) >= std::numeric_limits<Float>::min();
}

// Digits with at most one point, and an exponent: nothing that begins with a letter, which the libraries read apart.
template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
input& operator>>(input& from, Float& value) {
  if (likely(from.is_plain())) {
    const char* const end = from.buffer.end();
    const char* const at = skip_whitespace(from.buffer.here(), end);
    const char* const digits = at + (at != end && *at == '-');
    if (digits != end && (is_digit(*digits) || *digits == '.')) {
      Float number;
      const parse_result found = parse(at, end, number);
      if (likely(found.ec == std::errc{} && found.ptr != end && is_whitespace(*found.ptr) &&
                 found.ptr - at < longest_number && is_usual(number))) {
        value = number;
        from.buffer.move_to(found.ptr);
        return from;
      }
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
