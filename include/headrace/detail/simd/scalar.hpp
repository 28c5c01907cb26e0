// headrace/detail/simd/scalar.hpp: the reference of every kernel, in plain C++; what the kernels are made of.
//
// Stage 1, index(): where the tokens of a window begin and end.
//     text    "  42 -7\n"
//     blank    1100100 1          D = not blank
//     edges = D ^ (D << 1)        alternate between the begin of a token and its end
// Stage 2, convert(): tokens to integers, several at a time.
// Each kernel has both, with the signatures below, and hands what it does not take to the functions here.
//
// A kernel may read 64 bytes before and 128 behind the text that it is given: the reader's buffer keeps that room.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../parse.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// [begin, end) of a token, counted from the first byte of its window.
struct token {
  std::uint16_t begin;
  std::uint16_t end;
};

// How much text is indexed at once: small enough that the index and the values stay in the first cache.
constexpr std::size_t window_size = 8 * 1024;

// An index of a window needs room for a token every two bytes, and for what a kernel writes ahead.
constexpr std::size_t window_tokens = window_size / 2 + 64;

// Kernels write edges one by one; two of them are a token.
HEADRACE_INLINE std::uint16_t* edges_of(token* tokens) noexcept { return &tokens->begin; }

namespace scalar {

// Top bit of each byte that is a blank, exactly (no borrow from a neighbour).
constexpr std::uint64_t blanks(std::uint64_t text) noexcept {
  const std::uint64_t low = text & every_byte(0x7f);
  const std::uint64_t no_space = (low ^ every_byte(' ')) + every_byte(0x7f);
  const std::uint64_t from_tab = low + every_byte(0x80 - 9);
  const std::uint64_t above_return = low + every_byte(0x80 - 14);
  return (~no_space | (from_tab & ~above_return)) & ~text & every_byte(0x80);
}

// Stage 1. Writes the edges of `size` bytes (at most window_size) and returns how many: when odd, the last token has
// no end yet.
inline std::size_t index(const char* text, std::size_t size, token* tokens) noexcept {
  std::uint16_t* edge = edges_of(tokens);
  std::uint64_t carry = 0;  // 0x80 when the byte before this block belongs to a token
  for (std::size_t at = 0; at < size; at += 8) {
    std::uint64_t solid = ~blanks(load_eight(text + at)) & every_byte(0x80);
    std::uint64_t edges = solid ^ (solid << 8 | carry);
    if (size - at < 8) edges &= (std::uint64_t(1) << (8 * (size - at))) - 1;
    carry = solid >> 56;
    for (; edges != 0; edges &= edges - 1) {
      *edge++ = static_cast<std::uint16_t>(at + static_cast<unsigned>(__builtin_ctzll(edges)) / 8);
    }
  }
  return static_cast<std::size_t>(edge - edges_of(tokens));
}

// Where the newlines are; writes at most `size` offsets and 64 more that mean nothing.
inline std::size_t index_newlines(const char* text, std::size_t size, std::uint16_t* out) noexcept {
  std::uint16_t* next = out;
  for (std::size_t at = 0; at < size; at += 8) {
    const std::uint64_t differs = load_eight(text + at) ^ every_byte('\n');
    std::uint64_t found = ~(((differs & every_byte(0x7f)) + every_byte(0x7f)) | differs) & every_byte(0x80);
    if (size - at < 8) found &= (std::uint64_t(1) << (8 * (size - at))) - 1;
    for (; found != 0; found &= found - 1) {
      *next++ = static_cast<std::uint16_t>(at + static_cast<unsigned>(__builtin_ctzll(found)) / 8);
    }
  }
  return static_cast<std::size_t>(next - out);
}

// Stage 2. Returns how many of `count` tokens are converted: fewer only where one is malformed or out of range.
template <class Int>
std::size_t convert(const char* base, const token* tokens, std::size_t count, Int* out) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    if (parse_token_in_buffer(base + tokens[i].begin, base + tokens[i].end, out[i]) != std::errc{}) return i;
  }
  return count;
}

// Both stages in one pass, which without SIMD is faster than one after the other: the blank that ends a token is
// found in the eight bytes that hold its digits.
//     "-123 45\n" -> lowest byte <= ' ' is the fifth; "-123" without its sign, moved to the top: 0 0 0 0 0 1 2 3
// `text` ends with a blank. Stops at `room` values, at the end, or before the first token that convert() would not
// take; `tokens` are written as index() would.
template <class Int>
std::size_t scan(const char* text, std::size_t size, token* tokens, Int* out, std::size_t room) noexcept {
  const char* const end = text + size;
  const char* at = text;
  std::size_t done = 0;
  for (; done < room; ++done) {
    while (at != end && static_cast<unsigned char>(*at) <= ' ' && is_blank(*at)) ++at;
    if (at == end) break;

    const std::uint64_t bytes = load_eight(at);
    const std::uint64_t low = (bytes - every_byte(' ' + 1)) & ~bytes & every_byte(0x80);
    const bool negative = (bytes & 0xff) == '-';
    const char* last;
    if (likely(low != 0)) {
      const unsigned bits = static_cast<unsigned>(__builtin_ctzll(low)) & ~7u;
      last = at + bits / 8;
      const std::uint64_t sign = (0 - std::uint64_t(negative)) & ('-' ^ '0');
      const std::uint64_t digits = (bytes ^ every_byte('0') ^ sign) << (64 - bits) % 64;
      if (unlikely(not_digits(digits) || (*last != ' ' && !is_blank(*last)) || bits <= 8u * negative)) break;
      const std::uint32_t sum = join_eight_digits(digits);
      if constexpr (is_signed_integer<Int> && sizeof(Int) >= 4) {  // seven digits fit
        out[done] = static_cast<Int>(negative ? 0 - static_cast<Int>(sum) : static_cast<Int>(sum));
      } else {
        if (unlikely(!assign_if_fits(out[done], sum, negative))) break;
      }
    } else {
      last = at + 8;
      while (!is_blank(*last)) ++last;
      if (unlikely(parse_token_in_buffer(at, last, out[done]) != std::errc{})) break;
    }
    tokens[done] = {static_cast<std::uint16_t>(at - text), static_cast<std::uint16_t>(last - text)};
    at = last + 1;
  }
  return done;
}

}  // namespace scalar
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
