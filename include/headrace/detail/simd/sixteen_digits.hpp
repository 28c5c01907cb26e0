// headrace/detail/simd/sixteen_digits.hpp: sixteen decimal digits at once, by what every processor of an architecture
// has: SSE2, or 64-bit integers. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../../config.hpp"
#include "sse2.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Sixteen digits as text, in plain C++.
class plain_sixteen_digits {
 public:
  // Both below 10^8.
  HEADRACE_INLINE plain_sixteen_digits(std::uint32_t upper, std::uint32_t lower) noexcept
      : first_(split(upper)), second_(split(lower)) {}

  // How many they are with `seventeenth`, without the zeros at the end. Not all are 0.
  HEADRACE_INLINE unsigned count(std::uint32_t seventeenth) const noexcept {
    if (seventeenth != 0) return 17;
    const std::uint64_t last = second_ != 0 ? second_ : first_;
    return (second_ != 0 ? 16u : 8u) - static_cast<unsigned>(__builtin_clzll(last)) / 8;
  }

  // Writes them to `to`, with a gap of one byte after those that `before` has all bits of: seventeen bytes.
  HEADRACE_INLINE void write(char* to, const unsigned char (&before)[16]) const noexcept {
    const std::uint64_t first = first_ | 0x3030303030303030;
    const std::uint64_t second = second_ | 0x3030303030303030;
    const std::uint64_t mask = load(before), mask2 = load(before + 8);
    to[16] = static_cast<char>(second >> 56);
    store(to, (first & mask) | (first << 8 & ~mask));
    store(to + 8, (second & mask2) | ((second << 8 | first >> 56) & ~mask2));
  }

 private:
  // Eight digits, one a byte, the first one lowest.
  static constexpr std::uint64_t split(std::uint32_t value) noexcept {
    const std::uint64_t fours = value / 10000 | std::uint64_t{value % 10000} << 32;
    const std::uint64_t hundreds = (fours * 10486 >> 20) & 0x0000007f0000007f;
    const std::uint64_t pairs = hundreds | (fours - 100 * hundreds) << 16;
    const std::uint64_t tens = (pairs * 103 >> 10) & 0x000f000f000f000f;
    return tens | (pairs - 10 * tens) << 8;
  }
  static std::uint64_t in_order(std::uint64_t eight) noexcept {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(eight);
#else
    return eight;
#endif
  }
  static std::uint64_t load(const unsigned char* from) noexcept {
    std::uint64_t eight;
    __builtin_memcpy(&eight, from, 8);
    return in_order(eight);
  }
  static void store(char* to, std::uint64_t eight) noexcept {
    eight = in_order(eight);
    __builtin_memcpy(to, &eight, 8);
  }

  std::uint64_t first_, second_;
};

#if defined(__x86_64__)

// What follows works with.
struct digit_constants {
  using constant = sse2::constant;
  constant by_10000{{3518437209, 3518437209}};
  constant thousands_to_fours{{4294957296, 4294957296}};
  constant by_100{{0x0000147b0000147b, 0x0000147b0000147b}};
  constant hundred{{0x0000006400000064, 0x0000006400000064}};
  constant by_10{{0x199a199a199a199a, 0x199a199a199a199a}};
  constant tens_to_digits{{0x09ff09ff09ff09ff, 0x09ff09ff09ff09ff}};
  constant ascii{{0x3030303030303030, 0x3030303030303030}};
};

class sse2_sixteen_digits : sse2 {
 public:
  // Both below 10^8.
  HEADRACE_INLINE sse2_sixteen_digits(std::uint32_t upper, std::uint32_t lower) noexcept {
    const digit_constants& k = constants;
    const auto two = qwords{upper, lower};
    // 1. four groups of four digits, a dword each: x / 10000 = x * 3518437209 >> 45 for x < 2^32, and
    //    (x / 10000) * (2^32 - 10000) + x has x / 10000 in its upper dword, x % 10000 in the lower one
    const qwords thousands = multiply(two, k.by_10000) >> 45;
    const qwords fours = swap_halves(two + multiply(thousands, k.thousands_to_fours));
    // 2. eight groups of two, 16 bits each: x / 100 = x * 5243 >> 19 for x < 10000
    const qwords hundreds = qwords(words(upper_half(fours, k.by_100)) >> 3);
    const qwords pairs = hundreds | (fours - lower_half(hundreds, k.hundred)) << 16;
    // 3. sixteen digits, the first one lowest: x / 10 = x * 6554 >> 16 for x < 100, and 256 * (x % 10) + x / 10 is
    //    256 * x - 2559 * (x / 10)
    const qwords tens = upper_half(pairs, k.by_10);
    digits_ = bytes(words(pairs << 8) - words(lower_half(tens, k.tens_to_digits)));
  }

  // How many they are with `seventeenth`, without the zeros at the end. Not all are 0.
  HEADRACE_INLINE unsigned count(std::uint32_t seventeenth) const noexcept {
    std::uint32_t mask = mask_of_bytes(bytes(signed_bytes(digits_) > signed_bytes{}));
    mask |= (seventeenth + 0xffff) & 0x10000;
    return 32u - static_cast<unsigned>(__builtin_clz(mask));
  }

  // Writes them to `to`, with a gap of one byte after those that `before` has all bits of: seventeen bytes.
  HEADRACE_INLINE void write(char* to, const unsigned char (&before)[16]) const noexcept {
    const bytes text = digits_ | bytes(all(constants.ascii)), mask = load(before);
    const bytes first = (text & mask) | (shift_by_one(text) & ~mask);
    __builtin_memcpy(to + 1, &text, 16);
    __builtin_memcpy(to, &first, 16);
  }

 private:
  static constexpr digit_constants constants{};
  bytes digits_;
};

using sixteen_digits = sse2_sixteen_digits;

#else

using sixteen_digits = plain_sixteen_digits;

#endif

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
