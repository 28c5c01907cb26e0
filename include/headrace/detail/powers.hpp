// headrace/detail/powers.hpp: powers of five to 128 bits, and a product of 64 x 64 bits. Both ways between text and
// binary floating point need them: reading (Eisel-Lemire) and writing (Schubfach).
#pragma once

#include <cstdint>

#include "../config.hpp"
#include "powers_table.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

struct uint64_pair {
  std::uint64_t high;
  std::uint64_t low;
};

// The full product of two 64-bit integers.
constexpr HEADRACE_INLINE uint64_pair multiply_64(std::uint64_t a, std::uint64_t b) noexcept {
#if defined(__SIZEOF_INT128__)
  __extension__ using wide = unsigned __int128;
  const wide product = static_cast<wide>(a) * b;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
#else
  const std::uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
  const std::uint64_t low = a0 * b0;
  const std::uint64_t cross = a1 * b0;
  const std::uint64_t middle = a0 * b1 + (low >> 32) + (cross & 0xffffffff);
  return {a1 * b1 + (cross >> 32) + (middle >> 32), (middle << 32) | (low & 0xffffffff)};
#endif
}

// floor(log2(5^q)) + q = floor(log2(10^q)), exact for |q| <= 1233.
constexpr HEADRACE_INLINE int floor_log2_power_of_ten(int q) noexcept {
  return static_cast<int>((static_cast<std::int64_t>(q) * 1741647) >> 19);
}

inline constexpr int min_power = -342;
inline constexpr int max_power = 324;
inline constexpr int max_exact_power = 55;  // 5^55 < 2^128: from 5^0 up to here nothing is lost

// The first 128 bits of 5^q, the top bit set, what follows cut off:
//   floor(5^q * 2^(127 - floor(log2(5^q)))),  min_power <= q <= max_power.
// It is exact for 0 <= q <= max_exact_power and less than 1 too small elsewhere; adding 1 to `low` gives the
// value rounded up (no entry's `low` is all ones). Eisel-Lemire wants it rounded up for -27 <= q < 0, where a
// quotient may be exact; Schubfach wherever it is not exact.
constexpr uint64_pair power_of_five(int q) noexcept;

// ---------------------------------------------------------------------------------------------------------------

constexpr HEADRACE_INLINE uint64_pair power_of_five(int q) noexcept {
  const char32_t* const bits = powers_of_five + 4 * (std::int64_t{q} - min_power);
  return {std::uint64_t{bits[3]} << 32 | bits[2], std::uint64_t{bits[1]} << 32 | bits[0]};
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
