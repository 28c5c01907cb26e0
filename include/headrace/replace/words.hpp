// headrace/replace/words.hpp: where a word ends, eight bytes at a time. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../config.hpp"
#include "../detail/read_digits.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// load_eight() the other way round.
HEADRACE_INLINE void store_eight(char* to, std::uint64_t bytes) noexcept {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  bytes = __builtin_bswap64(bytes);
#endif
  std::memcpy(to, &bytes, 8);
}

// The first whitespace from `at` on, or `end`. `high` is true where a byte of 0x80 or more is before it, or close
// after.
HEADRACE_INLINE const char* end_of_word(const char* at, const char* end, bool& high) noexcept {
  std::uint64_t all = 0;
  for (; end - at >= 8; at += 8) {
    const std::uint64_t bytes = load_eight(at);
    all |= bytes;
    // The top bit of each byte up to a space; above the lowest of these bits there may be wrong ones (Alan Mycroft,
    // 1987).
    std::uint64_t low = (bytes - every_byte(' ' + 1)) & ~bytes & every_byte(0x80);
    for (; low != 0; low &= low - 1) {
      const char* const place = at + (__builtin_ctzll(low) >> 3);
      if (is_whitespace(*place)) {
        high = (all & every_byte(0x80)) != 0;
        return place;
      }
    }
  }
  for (; at != end && !is_whitespace(*at); ++at) all |= static_cast<unsigned char>(*at);
  high = (all & every_byte(0x80)) != 0;
  return at;
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
