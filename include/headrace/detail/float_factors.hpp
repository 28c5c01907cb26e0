// headrace/detail/float_factors.hpp: what the fast ways of writing floating point look up: a factor per binary
// exponent, and where each byte of a number's text comes from. Not for users.
#pragma once

#include <cstdint>

#include "../config.hpp"
#include "powers.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

constexpr HEADRACE_INLINE int floor_log10_power_of_two(int q) noexcept { return (q * 1262611) >> 22; }

// A number is c * 2^q, with c of `digits` bits, the first of them 1. `whole_digits`: so many decimal digits, or one
// more, has c times a factor as below; of a float now and then one fewer.
template <class Float>
struct written_format;
template <>
struct written_format<double> {
  using bits = std::uint64_t;
  static constexpr int digits = 53, max_biased = 0x7ff, least_exponent = -1074, whole_digits = 15;
};
template <>
struct written_format<float> {
  using bits = std::uint32_t;
  static constexpr int digits = 24, max_biased = 0xff, least_exponent = -149, whole_digits = 7;
};

// For c * 2^q, and k with 10^k <= 2^q < 10^(k + 1): 2^q * 10^(-k-1), which is in [0.1, 1), as a fraction of 128 bits,
// cut off. So the whole part of c * factor has `whole_digits` digits or one more, and is a digit shorter than what
// always tells c from its neighbours (Schubfach's shorter candidates), while the next digit is in the fraction. The
// lowest 16 bits are something else: where the point is in a whole part of `whole_digits` digits, plus 3.
struct alignas(16) decimal_factor {
  std::uint64_t low;
  std::uint64_t high;
  constexpr int point_and_3() const noexcept { return static_cast<std::int16_t>(low & 0xffff); }
};

// By biased exponent. 0 for what has no leading 1 (zero and subnormal numbers) and for what is no number: the callers
// find that too close to call.
template <class Float>
struct factor_table {
  using format = written_format<Float>;
  decimal_factor of[format::max_biased + 1]{};
  constexpr factor_table() noexcept {
    for (int biased = 1; biased < format::max_biased; ++biased) {
      const int q = biased - 1 + format::least_exponent, k = floor_log10_power_of_two(q);
      const uint64_pair power = power_of_five(-k - 1);
      const int shift = -(q + floor_log2_power_of_ten(-k - 1) + 1);  // 0 to 3
      const std::uint64_t low = shift == 0 ? power.low : power.low >> shift | power.high << (64 - shift);
      const int point = k + 1 + format::whole_digits;
      of[biased] = {(low & ~std::uint64_t{0xffff}) | static_cast<std::uint16_t>(point + 3), power.high >> shift};
    }
  }
};
template <class Float>  // of a template, so that only what is used is worked out
inline constexpr factor_table<Float> factors;

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
