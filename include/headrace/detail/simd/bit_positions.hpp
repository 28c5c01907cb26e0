// headrace/detail/simd/bit_positions.hpp: where the bits of a byte are set, eight 16-bit offsets at a time; for kernels
// without a compress instruction. (The idea of a table a mask byte: D. Lemire, "Iterating over set bits quickly (SIMD
// edition)", 2018.)
#pragma once

#include <cstdint>

#include "../../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Filled at its first use: 2 KiB computed by the compiler would cost every translation unit milliseconds.
struct bit_positions {
  alignas(64) unsigned char of[256][8];

  bit_positions() noexcept : of() {
    for (unsigned byte = 0; byte < 256; ++byte) {
      unsigned count = 0;
      for (unsigned bit = 0; bit < 8; ++bit) {
        if (byte >> bit & 1) of[byte][count++] = static_cast<unsigned char>(bit);
      }
    }
  }

  static const bit_positions& table() noexcept {
    static const bit_positions positions;
    return positions;
  }
};

// Byte k: how many bits are set in bytes 0 to k of `mask`.
constexpr std::uint64_t running_counts(std::uint64_t mask) noexcept {
  mask -= (mask >> 1) & 0x5555555555555555u;
  mask = (mask & 0x3333333333333333u) + ((mask >> 2) & 0x3333333333333333u);
  mask = (mask + (mask >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return mask * 0x0101010101010101u;
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
