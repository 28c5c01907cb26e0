// headrace/detail/powers.hpp: powers of five to 128 bits, a product of 64 x 64 bits, and powers of ten as pairs of
// doubles. Both ways between text and binary floating point need them: reading (Eisel-Lemire) and writing (Schubfach).
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
#if __SIZEOF_POINTER__ == 8  // which have integers of 128 bits
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

// ---- powers of ten as sums of two doubles: what reading several doubles at a time multiplies by ----

// The bits of two doubles, upper and lower. Their sum is 10^e cut off after 106 bits.
struct power_pair {
  std::uint64_t upper;
  std::uint64_t lower;
};

// The bits of significand * 2^exponent, cut off after 53 bits. The result is a normal number, or 0 for 0.
constexpr std::uint64_t bits_of_double(std::uint64_t significand, int exponent) noexcept {
  if (significand == 0) return 0;
  const int leading = __builtin_clzll(significand);
  const int biased = exponent + 63 - leading + 1023;
  return (significand << leading << 1 >> 12) | static_cast<std::uint64_t>(biased) << 52;
}

constexpr power_pair pair_of_power(int e) noexcept {
  const uint64_pair power = power_of_five(e);
  const int exponent = floor_log2_power_of_ten(e) - 63;  // of the lowest bit in power.high
  constexpr std::uint64_t upper_bits = ~std::uint64_t{0x7ff};
  const std::uint64_t rest = (power.high & ~upper_bits) << 53 | power.low >> 11;
  return {bits_of_double(power.high & upper_bits, exponent), bits_of_double(rest, exponent - 53)};
}

// Between these, w * 10^e and the error terms that belong to it are normal numbers, for every w of 64 bits: no bit is
// lost where a program has subnormal numbers switched off.
inline constexpr int min_pair = -275;
inline constexpr int max_pair = 288;

struct power_pair_table {
  alignas(16) power_pair of[max_pair - min_pair + 1]{};
  constexpr power_pair_table() noexcept {
    for (int e = min_pair; e <= max_pair; ++e) of[e - min_pair] = pair_of_power(e);
  }
};

// 10^-0 to 10^-31, the upper ones and the lower ones, so that a permutation of registers looks them up.
struct small_power_table {
  alignas(64) std::uint64_t upper[32]{};
  alignas(64) std::uint64_t lower[32]{};
  constexpr small_power_table() noexcept {
    for (int places = 0; places < 32; ++places) {
      const power_pair pair = pair_of_power(-places);
      upper[places] = pair.upper;
      lower[places] = pair.lower;
    }
  }
};

// Templates, so that only a program that uses them has them worked out.
template <class Void = void>
inline constexpr power_pair_table power_pairs = make_table<power_pair_table, Void>();
template <class Void = void>
inline constexpr small_power_table small_powers = make_table<small_power_table, Void>();

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
