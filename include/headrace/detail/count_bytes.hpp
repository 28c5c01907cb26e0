// headrace/detail/count_bytes.hpp: how often a byte is in a text; its newlines. Not for users.
#pragma once

#include <cstdint>
#include <cstring>

#include "../config.hpp"
#include "read_digits.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// How often a byte is in [first, last). 16 bytes at a time, so that counting the newlines in what leaves a pipe's
// buffer costs about a hundredth of reading it.
inline std::uint64_t count_bytes(const char* at, const char* last, char wanted) noexcept {
  using u8x16 = unsigned char __attribute__((vector_size(16)));
  std::uint64_t count = 0;
  u8x16 found, counts;  // not returned: without SSE that would be another calling convention
  const auto find = [wanted, &found](const char* from) {
    std::memcpy(&found, from, 16);
    found = static_cast<u8x16>(found == static_cast<unsigned char>(wanted));
  };
  const auto add = [&](const char* from) {
    find(from);
    counts -= found;
  };
  while (last - at >= 16) {
    counts = u8x16{};  // at most 255 in each byte: 4 * 60, 14, and one of the last bytes
    for (int i = 0; i < 60 && last - at >= 64; ++i, at += 64) {
      add(at);
      add(at + 16);
      add(at + 32);
      add(at + 48);
    }
    for (int i = 0; i < 14 && last - at >= 16; ++i, at += 16) add(at);
    if (last - at < 16) {  // the last bytes, by a load that begins among those before them
      constexpr u8x16 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
      find(last - 16);
      counts -= found & static_cast<u8x16>(lane >= static_cast<unsigned char>(16 - (last - at)));
      at = last;
    }
    std::uint64_t halves[2];
    std::memcpy(halves, &counts, sizeof halves);
    for (const std::uint64_t eight : halves) {  // bytes to words, whose sum is then in the highest one
      const std::uint64_t sums = (eight & 0x00ff00ff00ff00ff) + (eight >> 8 & 0x00ff00ff00ff00ff);
      count += sums * 0x0001000100010001 >> 48;
    }
  }
  for (; at != last; ++at) count += *at == wanted;
  return count;
}

constexpr std::uint64_t nearby = 1024;

// Counts where `last` is near and 127 bytes may be read after it: 128 bytes at a time, of which those from `last` on
// do not count. A loop over 16 of them would mispredict its end.
inline std::uint64_t count_nearby(const char* at, const char* last, char wanted) noexcept {
  using u8x16 = unsigned char __attribute__((vector_size(16)));
  using s8x16 = signed char __attribute__((vector_size(16)));
  constexpr s8x16 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  std::uint64_t count = 0;
  for (; at < last; at += 128) {
    const auto final = static_cast<signed char>(last - at > 128 ? 127 : last - at - 1);
    u8x16 counts{};
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
      u8x16 found;
      std::memcpy(&found, at + 16 * i, 16);
      found = static_cast<u8x16>(found == static_cast<unsigned char>(wanted));
      counts -= found & ~static_cast<u8x16>(lane + static_cast<signed char>(16 * i) > final);
    }
    std::uint64_t halves[2];
    std::memcpy(halves, &counts, sizeof halves);
    count += (halves[0] + halves[1]) * 0x0101010101010101 >> 56;
  }
  return count;
}

// Newlines in [first, last): their number, and the byte after the last one (nullptr: there is none).
struct newline_count {
  std::uint64_t count = 0;
  const char* after_last = nullptr;
};

// The byte after the last newline of [first, last), which has one: eight bytes at a time, of which each that is a
// newline gets its highest bit.
inline const char* after_last_newline([[maybe_unused]] const char* first, const char* last) noexcept {
  constexpr std::uint64_t each = 0x0101010101010101, low = 0x7f * each;
  for (; last - first >= 8; last -= 8) {
    const std::uint64_t eight = load_eight(last - 8) ^ '\n' * each;
    const std::uint64_t found = ~(((eight & low) + low) | eight | low);
    if (found != 0) return last - __builtin_clzll(found) / 8;
  }
  while (last[-1] != '\n') --last;
  return last;
}

inline newline_count with_last_newline(std::uint64_t count, const char* first, const char* last) noexcept {
  return {count, count != 0 ? after_last_newline(first, last) : nullptr};
}
inline newline_count count_newlines(const char* first, const char* last) noexcept {
  return with_last_newline(count_bytes(first, last, '\n'), first, last);
}
inline newline_count count_newlines_nearby(const char* first, const char* last) noexcept {
  return with_last_newline(count_nearby(first, last, '\n'), first, last);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
