// headrace/detail/simd/sixteen_characters.hpp: a number of up to sixteen characters at once, by what every processor of
// an architecture has: SSE2, or 64-bit integers. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../read_digits.hpp"
#include "sse2.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Each way has two functions, of the last `length` characters before `last`. False: they are something else. Both read
// sixteen bytes before `last`, whatever they are.
//
// join_digits(last, length, number): 9 to 16 digits.
//
// join_decimal(last, length, significand, exponent): up to 16 digits with at most one point, significand * 10^exponent;
// false for zero and for none, too. What is before the point moves up by one, below a zero: lengths that differ cost no
// misprediction.
//     "553989.125000"    . . . 5 5 3 9 8 9 p 1 2 5 0 0 0  ->  . . . . 5 5 3 9 8 9 1 2 5 0 0 0    p the point

// In plain C++, eight characters in each of two integers.
struct plain_sixteen_characters {
  HEADRACE_INLINE static bool join_digits(const char* last, std::size_t length, std::uint64_t& number) noexcept {
    const std::uint64_t high = last_digits(last - 16, length - 8), low = last_digits(last - 8, 8);
    if (not_digits(high) | not_digits(low)) return false;
    number = std::uint64_t(join_eight_digits(high)) * 100000000 + join_eight_digits(low);
    return true;
  }

  HEADRACE_INLINE static bool join_decimal(const char* last, std::size_t length, std::uint64_t& significand,
                                           std::int64_t& exponent) noexcept {
    const char* const keep = last_of_sixteen + length;
    std::uint64_t high = (load_eight(last - 16) ^ every_byte('0')) & load_eight(keep);
    std::uint64_t low = (load_eight(last - 8) ^ every_byte('0')) & load_eight(keep + 8);
    const std::uint64_t wrong_high = not_digits(high), wrong_low = not_digits(low), wrong = wrong_high | wrong_low;
    exponent = 0;
    if (likely(wrong != 0)) {
      const bool is_low = wrong_high == 0;
      const unsigned point = static_cast<unsigned>(__builtin_ctzll(wrong));
      if (unlikely((wrong & (wrong - 1)) != 0)) return false;
      if (unlikely(((is_low ? low : high) >> (point - 7) & 0xff) != ('.' ^ '0'))) return false;
      if (is_low) {
        low = close_point(low, wrong) | high >> 56;
        high <<= 8;
      } else {
        if (unlikely(wrong_low != 0)) return false;
        high = close_point(high, wrong);
      }
      exponent = static_cast<std::int64_t>(point / 8) - (is_low ? 7 : 15);
    }
    significand = std::uint64_t(join_eight_digits(high)) * 100000000 + join_eight_digits(low);
    return likely(significand != 0);  // which a point alone is, too
  }
};

#if defined(__x86_64__)

// What follows works with.
struct joining_constants {
  using constant = sse2::constant;
  constant ascii{{0x3030303030303030, 0x3030303030303030}};
  constant nine{{0x0909090909090909, 0x0909090909090909}};
  constant tens{{0x0a010a010a010a01, 0x0a010a010a010a01}};
  constant hundreds{{0x0001006400010064, 0x0001006400010064}};
  constant ten_thousands{{0x0001271000012710, 0x0001271000012710}};
};

class sse2_sixteen_characters : sse2 {
 public:
  HEADRACE_INLINE static bool join_digits(const char* last, std::size_t length, std::uint64_t& number) noexcept {
    const joining_constants& k = joining;
    const bytes digits = load_digits(last, length, k);
    if (unlikely(find_others(digits, k) != 0)) return false;
    number = join(digits, k);
    return true;
  }

  HEADRACE_INLINE static bool join_decimal(const char* last, std::size_t length, std::uint64_t& significand,
                                           std::int64_t& exponent) noexcept {
    const joining_constants& k = joining;
    bytes digits = load_digits(last, length, k);
    const std::uint32_t wrong = find_others(digits, k);
    exponent = 0;
    if (likely(wrong != 0)) {
      const auto point = static_cast<unsigned>(__builtin_ctz(wrong));
      if (unlikely((wrong & (wrong - 1)) != 0) || unlikely((last - 16)[point] != '.')) return false;
      exponent = static_cast<std::int64_t>(point) - 15;
      const bytes after = load(last_of_sixteen + 15 - point);
      digits = (digits & after) | (shift_by_one(digits) & ~after);
    }
    significand = join(digits, k);
    return likely(significand != 0);
  }

 private:
  static HEADRACE_INLINE bytes load_digits(const char* last, std::size_t length, const joining_constants& k) noexcept {
    return (load(last - 16) ^ bytes(all(k.ascii))) & load(last_of_sixteen + length);
  }
  // A bit for each that is none of 0 to 9.
  static HEADRACE_INLINE std::uint32_t find_others(bytes digits, const joining_constants& k) noexcept {
    return mask_of_bytes(bytes(signed_bytes(digits) > signed_bytes(all(k.nine))) | digits);
  }
  // Pairs, then fours, then all eight of each half, as in join_eight_digits().
  static HEADRACE_INLINE std::uint64_t join(bytes digits, const joining_constants& k) noexcept {
    const auto pairs = words(lower_half(qwords(digits), k.tens)) >> 8;
    const qwords fours = pack_signed(add_products(qwords(pairs), k.hundreds));
    const std::uint64_t eights = add_products(fours, k.ten_thousands)[0];
    return (eights & 0xffffffff) * 100000000 + (eights >> 32);
  }
  static constexpr joining_constants joining{};
};

using sixteen_characters = sse2_sixteen_characters;

#else

using sixteen_characters = plain_sixteen_characters;

#endif

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
