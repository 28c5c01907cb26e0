// headrace/detail/utf_impl.hpp: how text is transcoded. Not for users.
#pragma once

#include "../utf.hpp"
#include "utf8.hpp"
#include "narrow_ascii.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

namespace detail {

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
