// headrace/detail/simd/sixteen_characters.hpp: a decimal of up to sixteen characters at once, by what every processor
// of an architecture has: SSE2, or 64-bit integers. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../plain_decimal.hpp"
#include "sse2.hpp"

#if !defined(HEADRACE_SMALL)
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// All bits of the last n of sixteen bytes are set in those from n on.
alignas(32) inline constexpr unsigned char last_of_sixteen[32] = {
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

// Both ways have one function, join(last, length, number): the last `length` characters before `last`, 0 to 16, digits
// with at most one point, to `number`. False: they are something else, or zero, or none. Reads sixteen bytes before
// `last`, whatever they are. What is before the point moves up by one, below a zero: lengths that differ cost no
// misprediction.
//     "553989.125000"    . . . 5 5 3 9 8 9 p 1 2 5 0 0 0  ->  . . . . 5 5 3 9 8 9 1 2 5 0 0 0    p the point

// In plain C++, eight characters in each of two integers.
struct plain_sixteen_characters {
  HEADRACE_INLINE static bool join(const char* last, std::size_t length, plain_decimal& number) noexcept {
    const digit_joiner& k = joiner_in_memory();
    const auto* const keep = reinterpret_cast<const char*>(last_of_sixteen) + length;
    std::uint64_t high = (load_eight(last - 16) ^ k.to_digits[0]) & load_eight(keep);
    std::uint64_t low = (load_eight(last - 8) ^ k.to_digits[0]) & load_eight(keep + 8);
    const std::uint64_t wrong_high = k.not_digits(high), wrong_low = k.not_digits(low), wrong = wrong_high | wrong_low;
    number.exponent = 0;
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
      number.exponent = static_cast<std::int64_t>(point / 8) - (is_low ? 7 : 15);
    }
    number.significand = k.join(high) * 100000000 + k.join(low);
    return likely(number.significand != 0);  // which a point alone is, too
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

struct sse2_sixteen_characters : private sse2 {
  HEADRACE_INLINE static bool join(const char* last, std::size_t length, plain_decimal& number) noexcept {
    const joining_constants* k = &joining;
    asm("" : "+r"(k));  // a compiler that knew them would load each from a place of its own
    bytes digits = (load(last - 16) ^ (bytes)all(k->ascii)) & load(last_of_sixteen + length);
    const auto above_nine = (bytes)((signed_bytes)digits > (signed_bytes)all(k->nine));
    const std::uint32_t wrong = mask_of_bytes(above_nine | digits);
    number.exponent = 0;
    if (likely(wrong != 0)) {
      const auto point = static_cast<unsigned>(__builtin_ctz(wrong));
      if (unlikely((wrong & (wrong - 1)) != 0) || unlikely((last - 16)[point] != '.')) return false;
      number.exponent = static_cast<std::int64_t>(point) - 15;
      const bytes after = load(last_of_sixteen + 15 - point);
      digits = (digits & after) | (shift_by_one(digits) & ~after);
    }
    // pairs, then fours, then all eight of each half, as in join_eight_digits()
    const auto pairs = (words)lower_half((qwords)digits, k->tens) >> 8;
    const qwords fours = pack_signed(add_products((qwords)pairs, k->hundreds));
    const std::uint64_t eights = add_products(fours, k->ten_thousands)[0];
    number.significand = (eights & 0xffffffff) * 100000000 + (eights >> 32);
    return likely(number.significand != 0);
  }

 private:
  // The signed dwords as words, which hold them, twice.
  static HEADRACE_INLINE qwords pack_signed(qwords a) noexcept {
#if defined(__AVX__)
    asm("vpackssdw %0, %0, %0" : "+x"(a));
#else
    asm("packssdw %0, %0" : "+x"(a));
#endif
    return a;
  }
  // Of signed words; the sum of each two.
  static HEADRACE_INLINE qwords add_products(qwords a, const constant& b) noexcept {
#if defined(__AVX__)
    qwords result;
    asm("vpmaddwd %2, %1, %0" : "=x"(result) : "x"(a), "m"(b));
    return result;
#else
    asm("pmaddwd %1, %0" : "+x"(a) : "m"(b));
    return a;
#endif
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
#endif
