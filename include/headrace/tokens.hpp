// headrace/tokens.hpp: bulk conversion of indexed tokens by the chosen kernel. Not for users.
#pragma once

#include "parse.hpp"
#include "simd.hpp"
#include "simd/scalar.hpp"

// What `headrace bundle` can leave out.
#if __has_include("parse_float.hpp")
#include "parse_float.hpp"
#else
#include "without_floats.hpp"
#endif
#if __has_include("simd/sse41.hpp")
#include "simd/sse41.hpp"
#else
namespace headrace::detail {
namespace sse41 = scalar;
}
#endif
#if __has_include("simd/avx2.hpp")
#include "simd/avx2.hpp"
#else
namespace headrace::detail {
namespace avx2 = scalar;
}
#endif
#if __has_include("simd/avx512.hpp")
#include "simd/avx512.hpp"
#else
namespace headrace::detail {
namespace avx512 = scalar;
}
#endif
#if __has_include("simd/neon.hpp")
#include "simd/neon.hpp"
#else
namespace headrace::detail {
namespace neon = scalar;
}
#endif

namespace headrace::detail {

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

inline std::size_t index_tokens(const char* text, std::size_t size, token* tokens) noexcept {
  switch (chosen_kernel()) {
#if HEADRACE_X86
    case kernel::avx512:
      return avx512::index(text, size, tokens);
    case kernel::avx2:
      return avx2::index(text, size, tokens);
    case kernel::sse41:
      return sse41::index(text, size, tokens);
#elif HEADRACE_NEON
    case kernel::neon:
      return neon::index(text, size, tokens);
#endif
    default:
      return scalar::index(text, size, tokens);
  }
}

// Where the newlines of a window are; returns how many.
inline std::size_t index_newlines(const char* text, std::size_t size, std::uint16_t* out) noexcept {
  switch (chosen_kernel()) {
#if HEADRACE_X86
    case kernel::avx512:
      return avx512::index_newlines(text, size, out);
    case kernel::avx2:
      return avx2::index_newlines(text, size, out);
    case kernel::sse41:
      return sse41::index_newlines(text, size, out);
#elif HEADRACE_NEON
    case kernel::neon:
      return neon::index_newlines(text, size, out);
#endif
    default:
      return scalar::index_newlines(text, size, out);
  }
}

// Integers of 32 and 64 bits. Returns how many tokens were taken: fewer only before one that is not an Int.
template <class Int>
std::size_t convert_integers(const char* base, const token* tokens, std::size_t count, Int* out) noexcept {
  switch (chosen_kernel()) {
#if HEADRACE_X86
    case kernel::avx512:
      return avx512::convert(base, tokens, count, out);
    case kernel::avx2:
      return avx2::convert(base, tokens, count, out);
    case kernel::sse41:
      return sse41::convert(base, tokens, count, out);
#elif HEADRACE_NEON
    case kernel::neon:
      return neon::convert(base, tokens, count, out);
#endif
    default:
      return scalar::convert(base, tokens, count, out);
  }
}

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

}  // namespace headrace::detail
