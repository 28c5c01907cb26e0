// The table, worked out by the compiler, which takes longer.
#pragma once

#include <cstdint>

#include <headrace/config.hpp>

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

struct power_table {
  static constexpr int first = -342, last = 324;
  static constexpr int limbs = 32;
  char32_t bits[4 * (last - first + 1)]{};

  constexpr power_table() noexcept {
    // Exact: 5^324 has 753 bits.
    std::uint32_t number[limbs]{1};
    for (int q = 0; q <= last; ++q) {
      keep_first_bits(q, number);
      std::uint64_t carry = 0;
      for (std::uint32_t& limb : number) {
        carry += std::uint64_t{limb} * 5;
        limb = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
    }
    // 2^1023 / 5^q, cut off: as exact as if it were divided once, because floor(floor(x / 5) / 5) = floor(x / 25).
    for (std::uint32_t& limb : number) limb = 0;
    number[limbs - 1] = 1u << 31;
    for (int q = -1; q >= first; --q) {
      std::uint64_t rest = 0;
      for (int i = limbs - 1; i >= 0; --i) {
        rest = rest << 32 | number[i];
        number[i] = static_cast<std::uint32_t>(rest / 5);
        rest %= 5;
      }
      keep_first_bits(q, number);
    }
  }

 private:
  constexpr void keep_first_bits(int q, const std::uint32_t (&number)[limbs]) noexcept {
    int top = limbs - 1;
    while (number[top] == 0) --top;
    const int shift = __builtin_clz(number[top]);
    for (int i = 0; i < 4; ++i) {
      const std::uint64_t high = top - i >= 0 ? number[top - i] : 0, low = top - i > 0 ? number[top - i - 1] : 0;
      bits[4 * (q - first) + 3 - i] = static_cast<std::uint32_t>((high << 32 | low) << shift >> 32);
    }
  }
};

inline constexpr power_table table_of_powers;
inline constexpr const char32_t* powers_of_five = table_of_powers.bits;

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
