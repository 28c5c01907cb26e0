// headrace/detail/bytes.hpp: the bytes of a text: how often one is in it, its newlines, and sets of them that become
// spaces. Not for users.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

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

inline constexpr std::uint64_t nearby = 1024;

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

// ---- sets of bytes ----

// Any bytes but blanks.
class byte_set {
 public:
  constexpr byte_set() noexcept = default;
  explicit byte_set(std::string_view bytes) noexcept {
    for (const char each : bytes) {
      const auto byte = static_cast<unsigned char>(each);
      if (!is_whitespace(each)) bits_[byte / 64] |= std::uint64_t(1) << byte % 64;
    }
  }
  bool is_empty() const noexcept { return (bits_[0] | bits_[1] | bits_[2] | bits_[3]) == 0; }
  template <class Action>
  void for_each(Action action) const {
    for (unsigned i = 0; i < 4; ++i) {
      for (std::uint64_t left = bits_[i]; left != 0; left &= left - 1) {
        action(static_cast<unsigned char>(64 * i + static_cast<unsigned>(__builtin_ctzll(left))));
      }
    }
  }

 private:
  std::uint64_t bits_[4] = {};
};

// Each byte of the set that is in [first, last) becomes a space: 16 bytes at a time, once for each of the set, which
// costs a hundredth of reading numbers.
inline void blank_out(const byte_set& separators, char* first, char* last) noexcept {
  using u8x16 = unsigned char __attribute__((vector_size(16)));
  separators.for_each([first, last](unsigned char separator) {
    char* at = first;
    for (; last - at >= 16; at += 16) {
      u8x16 bytes;
      std::memcpy(&bytes, at, 16);
      const u8x16 found = static_cast<u8x16>(bytes == separator);
      bytes = (bytes & ~found) | (found & (u8x16{} + static_cast<unsigned char>(' ')));
      std::memcpy(at, &bytes, 16);
    }
    for (; at != last; ++at) *at = static_cast<unsigned char>(*at) == separator ? ' ' : *at;
  });
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
