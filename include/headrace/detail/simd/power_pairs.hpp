// headrace/detail/simd/power_pairs.hpp: powers of ten, each as a sum of two doubles: what reading several doubles at a
// time multiplies by.
#pragma once

#include <cstdint>

#include "../../config.hpp"
#include "../powers.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

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
