// headrace/replace/scan_format.hpp: scanf's formats, read at compile time. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../config.hpp"
#include "../detail/number_traits.hpp"
#include "../detail/read_digits.hpp"
#include "literal.hpp"
#include "print_format.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

enum class scan_kind : unsigned char { end, whitespace, byte, integer, floating, character, word, set, rare };

// The bytes of %[...], a bit each.
struct byte_bits {
  std::uint64_t words[4] = {};
  constexpr bool has(char byte) const noexcept {
    const auto index = static_cast<unsigned char>(byte);
    return (words[index >> 6] >> (index & 63) & 1) != 0;
  }
  constexpr void add(unsigned index) noexcept { words[index >> 6] |= std::uint64_t{1} << (index & 63); }
  constexpr void invert() noexcept {
    for (std::uint64_t& word : words) word = ~word;
  }
};

struct scan_directive {
  scan_kind kind = scan_kind::rare;
  std::size_t end = 0;     // in the format
  std::size_t bytes = 0;   // of an integer or a float
  bool is_signed = false;  // of an integer
  bool is_kept = true;     // no star
  std::size_t width = 0;   // of text; 0: any
  byte_bits set;
};

// The set after a [ at `at`. False for a range that runs backwards, and for one that goes on, as in a-c-e.
constexpr bool take_set(const char* text, std::size_t& at, byte_bits& set) noexcept {
  const bool inverted = text[at] == '^';
  at += inverted;
  const std::size_t begin = at;
  for (; text[at] != '\0' && (text[at] != ']' || at == begin); ++at) {
    const auto first = static_cast<unsigned char>(text[at]);
    unsigned last = first;
    if (text[at + 1] == '-' && text[at + 2] != ']' && text[at + 2] != '\0') {
      last = static_cast<unsigned char>(text[at + 2]);
      at += 2;
      if (text[at + 1] == '-' && text[at + 2] != ']' && text[at + 2] != '\0') return false;
    }
    if (last < first) return false;
    for (unsigned byte = first; byte <= last; ++byte) set.add(byte);
  }
  if (text[at] == '\0') return false;
  ++at;
  if (inverted) set.invert();
  return true;
}

// The conversion after a % at `at`.
constexpr scan_directive scan_conversion_at(const char* text, std::size_t at) noexcept {
  scan_directive found;
  if (text[at] == '*') {
    found.is_kept = false;
    ++at;
  }
  const std::size_t digits = at;
  const int width = take_field(text, at);
  if (width > longest_field || (at != digits && width == 0)) return found;
  found.width = static_cast<std::size_t>(width);
  const std::size_t plain = at;
  found.bytes = take_length(text, at);
  const char letter = text[at++];
  const bool has_length = plain + 1 != at;
  if (letter == 'd' || letter == 'u') {
    if (found.bytes != 0 && width == 0) found.kind = scan_kind::integer;
    found.is_signed = letter == 'd';
  } else if (letter == 'f' || letter == 'g' || letter == 'e') {
    const bool is_double = has_length && text[plain] == 'l' && plain + 2 == at;
    found.bytes = is_double ? sizeof(double) : sizeof(float);
    if (width == 0 && (is_double || !has_length)) found.kind = scan_kind::floating;
  } else if (!has_length && letter == 'c') {
    if (width <= 1) found.kind = scan_kind::character;
  } else if (!has_length && letter == 's') {
    found.kind = scan_kind::word;
  } else if (!has_length && letter == '[') {
    if (take_set(text, at, found.set)) found.kind = scan_kind::set;
  }
  found.end = at;
  return found;
}

// The directive at `at`. `text` ends with a zero.
constexpr scan_directive scan_directive_at(const char* text, std::size_t at) noexcept {
  if (text[at] == '%') return scan_conversion_at(text, at + 1);
  scan_directive found;
  if (text[at] == '\0') {
    found.kind = scan_kind::end;
  } else if (is_whitespace(text[at])) {
    found.kind = scan_kind::whitespace;
    while (is_whitespace(text[at])) ++at;
    found.end = at;
  } else if (static_cast<unsigned char>(text[at]) < 0x80) {
    found.kind = scan_kind::byte;
    found.end = at + 1;
  }
  return found;
}

// The directive of a format at `At`: a variable, so that the compiler reads it once.
template <class Spelt, std::size_t At>
inline constexpr scan_directive scan_directive_of = scan_directive_at(literal<Spelt>.bytes, At);

// Whether there is a %n, which counts from the format's first directive on: all of it then is the C library's.
constexpr bool has_count(const char* text) noexcept {
  for (std::size_t at = 0; text[at] != '\0'; ++at) {
    if (text[at] != '%') continue;
    do {
      ++at;
    } while (has("0123456789$*'mhlLjztqI", text[at]));
    if (text[at] == 'n') return true;
    if (text[at] == '\0') return false;
  }
  return false;
}

// Whether a conversion can store to what the argument points to.
template <class Pointer>
constexpr bool is_stored_by(const scan_directive& directive) noexcept {
  using stored = std::remove_pointer_t<Pointer>;
  if (!std::is_pointer_v<Pointer> || std::is_const_v<stored> || std::is_volatile_v<stored>) return false;
  switch (directive.kind) {
    case scan_kind::integer:
      if constexpr (std::is_integral_v<stored> && !std::is_same_v<stored, bool>) {
        return sizeof(stored) == directive.bytes;
      }
      return false;
    case scan_kind::floating:
      return std::is_same_v<stored, float> ? directive.bytes == sizeof(float)
                                           : std::is_same_v<stored, double> && directive.bytes == sizeof(double);
    default:
      return is_text_pointer<Pointer>;
  }
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
