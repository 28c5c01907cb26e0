// headrace/detail/tokens.hpp: bulk conversion of indexed tokens by the chosen kernel. Not for users.
#pragma once

#include "../parse.hpp"
#include "simd/dispatch.hpp"
#include "simd/scalar.hpp"
#include "../types.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Types that are converted ahead when they are read one after the other: each has a place of its own.
template <class T>
constexpr int find_slot() noexcept {
  if constexpr (is_integer<T>) {
    constexpr int of_size[] = {-1, 0, 2, -1, 4, -1, -1, -1, 6};
    return sizeof(T) > 8 ? -1 : of_size[sizeof(T) > 8 ? 0 : sizeof(T)] + is_signed_integer<T>;
  } else {
    return std::is_same_v<T, float> ? 8 : std::is_same_v<T, double> ? 9 : -1;
  }
}
template <class T>
constexpr int slot_of = find_slot<T>();
constexpr int slot_count = 10;

// The bodies of these three are in simd/kernels.hpp.

// The edges of a window's tokens; returns how many.
template <class Token>
std::size_t index_tokens(const char* text, std::size_t size, Token* tokens) noexcept;

// Where the newlines of a window are; returns how many.
template <class Offset>
std::size_t index_newlines(const char* text, std::size_t size, Offset* out) noexcept;

// Integers of 32 and 64 bits. Returns how many tokens were taken: fewer only before one that is not an Int.
template <class Int>
std::size_t convert_integers(const char* base, const token* tokens, std::size_t count, Int* out) noexcept;

// Integers of 8 and 16 bits: by way of 32, a few at a time.
template <class Int>
std::size_t convert_narrow(const char* base, const token* tokens, std::size_t count, Int* out) noexcept {
  using wide = std::conditional_t<is_signed_integer<Int>, std::int32_t, std::uint32_t>;
  constexpr std::size_t block = 256;
  wide values[block];
  std::size_t done = 0;
  while (done < count) {
    const std::size_t wanted = count - done < block ? count - done : block;
    const std::size_t taken = convert_integers(base, tokens + done, wanted, values);
    for (std::size_t i = 0; i < taken; ++i, ++done) {
      if (static_cast<Int>(values[i]) != values[i]) return done;
      out[done] = static_cast<Int>(values[i]);
    }
    if (taken < wanted) break;
  }
  return done;
}

template <class T>
std::size_t convert_tokens(const char* base, const token* tokens, std::size_t count, T* out) noexcept {
  if constexpr (is_integer<T> && (sizeof(T) == 4 || sizeof(T) == 8)) {
    return convert_integers(base, tokens, count, out);
  } else if constexpr (is_integer<T> && sizeof(T) < 4) {
    return convert_narrow(base, tokens, count, out);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      if (parse_token_in_buffer(base + tokens[i].begin, base + tokens[i].end, out[i]) != std::errc{}) return i;
    }
    return count;
  }
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

#if !HEADRACE_COMPILED
#include "simd/kernels.hpp"
#endif
