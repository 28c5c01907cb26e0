// headrace/detail/simd/bit_places.hpp: where the bits of a byte are set, eight at a time; for instruction sets that
// cannot compress a vector. (The idea of a table per mask byte: D. Lemire, "Iterating over set bits quickly (SIMD
// edition)", 2018.)
#pragma once

#include <cstdint>

#include "../../config.hpp"

#if !HEADRACE_WINDOWS
#include <unistd.h>
#endif

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Filled at its first use: 2 KiB computed by the compiler would cost every translation unit milliseconds. Not by a
// static object of a function, whose guard would call the C++ library.
struct bit_places {
  alignas(64) unsigned char of[256][8];
  int state;  // one of the following, or the process of the thread that is filling it

  static constexpr int empty = 0, filled = -1;
  static const bit_places& get() noexcept;
};

inline bit_places bit_place_table{};

HEADRACE_INLINE int this_process() noexcept {
#if HEADRACE_WINDOWS
  return 1;  // no other has this memory
#else
  return static_cast<int>(::getpid());
#endif
}

// The other threads wait a microsecond. In a child that was forked meanwhile none of them is left: the first that comes
// begins again.
HEADRACE_COLD inline void fill(bit_places& table) noexcept {
  const int self = this_process();
  for (int seen = bit_places::empty; seen != bit_places::filled;) {
    if (seen == self) {
      seen = __atomic_load_n(&table.state, __ATOMIC_ACQUIRE);
      continue;
    }
    if (!__atomic_compare_exchange_n(&table.state, &seen, self, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) continue;
    for (unsigned byte = 0; byte < 256; ++byte) {
      unsigned count = 0;
      for (unsigned bit = 0; bit < 8; ++bit) {
        if (byte >> bit & 1) table.of[byte][count++] = static_cast<unsigned char>(bit);
      }
    }
    seen = bit_places::filled;
    __atomic_store_n(&table.state, bit_places::filled, __ATOMIC_RELEASE);
  }
}

inline const bit_places& bit_places::get() noexcept {
  if (unlikely(__atomic_load_n(&bit_place_table.state, __ATOMIC_ACQUIRE) != bit_places::filled)) fill(bit_place_table);
  return bit_place_table;
}

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
HEADRACE_BASELINE_END
