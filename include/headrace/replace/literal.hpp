// headrace/replace/literal.hpp: what a string literal holds, at compile time. Not for users.
//
// A macro can pass a literal on only as text or as its spelling. The spelling (#literal) is a constant that does not
// depend on the variables around it, so it can be a member of a type where the literal itself could not:
//   "%d\n" "x"   is spelt   "\"%d\\n\" \"x\""   and holds   %d, a newline, x
#pragma once

#include <cstddef>

#include "../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// A literal's bytes, or is_known = false: not a literal, or one with something rare (a prefix, \u, \e, a zero).
template <std::size_t Room>
struct literal_bytes {
  char bytes[Room] = {};
  std::size_t size = 0;
  bool is_known = false;
};

// The byte of a simple escape sequence, or 0.
constexpr char unescaped(char letter) noexcept {
  constexpr const char* pairs = "n\nt\tr\r\\\\\"\"\'\'??a\ab\bf\fv\v";
  for (const char* pair = pairs; *pair != '\0'; pair += 2) {
    if (*pair == letter) return pair[1];
  }
  return '\0';
}

constexpr unsigned digit_value(char byte) noexcept {
  if (byte >= '0' && byte <= '9') return static_cast<unsigned>(byte - '0');
  if (byte >= 'a' && byte <= 'f') return static_cast<unsigned>(byte - 'a') + 10;
  if (byte >= 'A' && byte <= 'F') return static_cast<unsigned>(byte - 'A') + 10;
  return 99;
}

// The byte after a backslash at `spelt[at - 1]`; moves `at` after it. 0 for what is rare.
constexpr char take_escape(const char* spelt, std::size_t& at) noexcept {
  const bool hexadecimal = spelt[at] == 'x';
  if (!hexadecimal && digit_value(spelt[at]) >= 8) return unescaped(spelt[at++]);
  const unsigned base = hexadecimal ? 16 : 8;
  at += hexadecimal;
  const std::size_t begin = at;
  unsigned value = 0;
  for (; (hexadecimal || at != begin + 3) && digit_value(spelt[at]) < base; ++at)
    value = (value * base + digit_value(spelt[at])) & 0xFFFF;
  return value > 255 ? '\0' : static_cast<char>(value);
}

template <std::size_t Room>
constexpr literal_bytes<Room> read_literal(const char* spelt) noexcept {
  literal_bytes<Room> found;
  for (std::size_t at = 0; spelt[at] != '\0';) {
    if (spelt[at++] == ' ') continue;  // between the parts of "one" "two"
    if (spelt[at - 1] != '"') return {};
    while (spelt[at] != '"') {
      char byte = spelt[at++];
      if (byte == '\\') byte = take_escape(spelt, at);
      if (byte == '\0') return {};
      found.bytes[found.size++] = byte;
    }
    ++at;
    found.is_known = true;
  }
  return found;
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
