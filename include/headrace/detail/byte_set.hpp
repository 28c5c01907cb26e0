// headrace/detail/byte_set.hpp: a set of bytes, and text in which they become spaces. Not for users.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "../config.hpp"
#include "read_digits.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

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
