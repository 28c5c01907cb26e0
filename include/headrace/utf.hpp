// headrace/utf.hpp: UTF-16 and UTF-32 -> UTF-8, and UTF-8 -> UTF-16 for the Windows console. Pure: nothing is
// allocated or thrown. What is not a character (a lone surrogate, a code point above U+10FFFF, malformed UTF-8)
// becomes U+FFFD, the replacement character.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

// The maximum number of bytes of UTF-8 that one code unit of text can become.
template <class Unit>
constexpr std::size_t utf8_per_unit = sizeof(Unit) == 1   ? 1
                                      : sizeof(Unit) == 2 ? 3
                                                          : 4;

// Writes the UTF-8 of the text [first, last) to `to`, which must have room for utf8_per_unit<Unit> bytes per unit.
// Returns the end. Unit is char16_t, char32_t or wchar_t: units of two bytes are UTF-16, of four UTF-32.
template <class Unit>
char* to_utf8(const Unit* first, const Unit* last, char* to) noexcept;

// For text in pieces: true if a text cut after `last_unit` is cut between two surrogates.
template <class Unit>
constexpr bool splits_a_pair(Unit last_unit) noexcept;

struct utf16_result {
  const char* read;   // just past the last byte that was converted
  char16_t* written;  // just past the last unit
};

// Writes the UTF-16 of UTF-8 text [first, last) to `to`, which must have room for one unit per byte. A sequence that
// the end cuts short is left unread (at most three bytes), unless `final` says that nothing follows. Malformed
// text becomes one U+FFFD for each maximal part of a sequence, as the Unicode standard recommends (chapter 3.9).
utf16_result to_utf16(const char* first, const char* last, char16_t* to, bool final = true) noexcept;

// ---------------------------------------------------------------------------------------------------------------

namespace detail {

inline constexpr char32_t replacement_character = 0xfffd;

constexpr bool is_surrogate(std::uint32_t unit) noexcept { return (unit & 0xfffff800) == 0xd800; }
constexpr bool is_high_surrogate(std::uint32_t unit) noexcept { return (unit & 0xfffffc00) == 0xd800; }
constexpr bool is_low_surrogate(std::uint32_t unit) noexcept { return (unit & 0xfffffc00) == 0xdc00; }

// One code point, 1 to 4 bytes.
inline char* write_code_point(char* to, std::uint32_t code) noexcept {
  if (code < 0x80) {
    *to++ = static_cast<char>(code);
    return to;
  }
  if (code < 0x800) {
    *to++ = static_cast<char>(0xc0 | code >> 6);
  } else {
    if (code > 0x10ffff || is_surrogate(code)) code = replacement_character;
    if (code < 0x10000) {
      *to++ = static_cast<char>(0xe0 | code >> 12);
    } else {
      *to++ = static_cast<char>(0xf0 | code >> 18);
      *to++ = static_cast<char>(0x80 | (code >> 12 & 0x3f));
    }
    *to++ = static_cast<char>(0x80 | (code >> 6 & 0x3f));
  }
  *to++ = static_cast<char>(0x80 | (code & 0x3f));
  return to;
}

inline constexpr std::size_t ascii_block = 16;

// If the next 16 units are all ASCII, writes them as bytes and returns true.
template <class Unit>
HEADRACE_INLINE bool narrow_ascii(const Unit* from, char* to) noexcept {
  using unit = std::conditional_t<sizeof(Unit) == 2, std::uint16_t, std::uint32_t>;
  // Compiler vectors: SSE2, NEON or plain code, as it comes.
  typedef unit units __attribute__((vector_size(ascii_block * sizeof(unit))));
  typedef std::uint8_t bytes __attribute__((vector_size(ascii_block)));
  std::uint64_t words[ascii_block * sizeof(unit) / 8];
  std::memcpy(words, from, sizeof words);
  std::uint64_t any = 0;
  for (std::uint64_t word : words) any |= word;
  if ((any & (sizeof(unit) == 2 ? 0xff80ff80ff80ff80 : 0xffffff80ffffff80)) != 0) return false;
  units block;
  std::memcpy(&block, from, sizeof block);
  const bytes narrow = __builtin_convertvector(block, bytes);
  std::memcpy(to, &narrow, sizeof narrow);
  return true;
}

}  // namespace detail

template <class Unit>
constexpr bool splits_a_pair(Unit last_unit) noexcept {
  return sizeof(Unit) == 2 && detail::is_high_surrogate(static_cast<std::uint32_t>(last_unit));
}

template <class Unit>
char* to_utf8(const Unit* first, const Unit* last, char* to) noexcept {
  static_assert(sizeof(Unit) == 2 || sizeof(Unit) == 4, "headrace::to_utf8 takes UTF-16 or UTF-32");
  using unit = std::conditional_t<sizeof(Unit) == 2, std::uint16_t, std::uint32_t>;
  while (first != last) {
    while (static_cast<std::size_t>(last - first) >= detail::ascii_block && detail::narrow_ascii(first, to)) {
      first += detail::ascii_block;
      to += detail::ascii_block;
    }
    // One block unit by unit before the next attempt, so that text without ASCII is not tested at every unit.
    for (int i = 0; i < 16 && first != last; ++i) {
      std::uint32_t code = static_cast<unit>(*first++);
      if (sizeof(Unit) == 2 && detail::is_high_surrogate(code) && first != last &&
          detail::is_low_surrogate(static_cast<unit>(*first))) {
        code = 0x10000 + ((code - 0xd800) << 10) + (static_cast<unit>(*first++) - 0xdc00u);
      }
      to = detail::write_code_point(to, code);
    }
  }
  return to;
}

namespace detail {

// ---- the one decoder of UTF-8 ----

enum class utf8_state : unsigned char {
  valid,
  malformed,  // size: the maximal part of a sequence, which U+FFFD replaces
  cut_short,  // the text ends before the sequence does
};

struct utf8_character {
  std::uint32_t code = replacement_character;
  unsigned char size = 1;  // bytes
  utf8_state state = utf8_state::malformed;
};

// The character at `first`; [first, last) is not empty. (Unicode 15, table 3-7, and chapter 3.9 on what is malformed.)
inline utf8_character decode(const char* first, const char* last) noexcept {
  const auto byte = static_cast<unsigned char>(*first);
  if (byte < 0x80) return {byte, 1, utf8_state::valid};
  if (byte < 0xc2 || byte > 0xf4) return {};
  const int size = 2 + (byte >= 0xe0) + (byte >= 0xf0);
  std::uint32_t code = byte & (0x7fu >> size);
  // The range of the second byte excludes overlong forms, surrogates and what is above U+10FFFF.
  unsigned char low = byte == 0xe0 ? 0xa0 : byte == 0xf0 ? 0x90 : 0x80;
  unsigned char high = byte == 0xed ? 0x9f : byte == 0xf4 ? 0x8f : 0xbf;
  for (int i = 1; i < size; ++i) {
    const auto so_far = static_cast<unsigned char>(i);
    if (first + i == last) return {replacement_character, so_far, utf8_state::cut_short};
    const auto next = static_cast<unsigned char>(first[i]);
    if (next < low || next > high) return {replacement_character, so_far, utf8_state::malformed};
    code = code << 6 | (next & 0x3fu);
    low = 0x80;
    high = 0xbf;
  }
  return {code, static_cast<unsigned char>(size), utf8_state::valid};
}

inline char16_t* write_utf16(char16_t* to, std::uint32_t code) noexcept {
  if (code >= 0x10000) {
    *to++ = static_cast<char16_t>(0xd7c0 + (code >> 10));
    code = 0xdc00 | (code & 0x3ff);
  }
  *to++ = static_cast<char16_t>(code);
  return to;
}

}  // namespace detail

inline utf16_result to_utf16(const char* first, const char* last, char16_t* to, bool final) noexcept {
  while (first != last) {
    const detail::utf8_character next = detail::decode(first, last);
    if (next.state == detail::utf8_state::cut_short && !final) break;
    to = detail::write_utf16(to, next.code);
    first += next.size;
  }
  return {first, to};
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
