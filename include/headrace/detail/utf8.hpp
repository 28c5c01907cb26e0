// headrace/detail/utf8.hpp: the one decoder of UTF-8. Not for users.
#pragma once

#include <cstdint>

#include "../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

constexpr char32_t replacement_character = 0xfffd;

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

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
