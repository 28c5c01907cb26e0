// headrace/utf.hpp: UTF-16 and UTF-32 -> UTF-8, and UTF-8 -> UTF-16 for the Windows console. Pure: nothing is
// allocated or thrown. What is not a character (a lone surrogate, a code point above U+10FFFF, malformed UTF-8)
// becomes U+FFFD, the replacement character.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

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

}  // namespace HEADRACE_ABI
}  // namespace headrace

#include "detail/utf_impl.hpp"
