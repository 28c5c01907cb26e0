// headrace/detail/simd/sixteen_bytes.hpp: a number of up to sixteen characters, and sixteen digits as text, at once: by
// what every processor of an architecture has, SSE2 or 64-bit integers. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../read_digits.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Each way has three functions of the last `length` characters before `last`. False: they are something else.
//
// join_few(last, length, number): 1 to 8 digits. Reads eight bytes before `last`, whatever they are.
//
// join_digits(last, length, number): 1 to 16 digits; of up to 20 the last sixteen. Reads sixteen bytes before `last`.
//
// join_decimal(last, length, significand, exponent): up to 16 digits with at most one point, significand * 10^exponent;
// false for zero and for none, too. Reads sixteen bytes before `last`. What is before the point moves up by one, below
// a zero: lengths that differ cost no misprediction.
//     "553989.125000"    . . . 5 5 3 9 8 9 p 1 2 5 0 0 0  ->  . . . . 5 5 3 9 8 9 1 2 5 0 0 0    p the point

// In plain C++, eight characters in each of two integers.
struct plain_sixteen_characters {
  HEADRACE_INLINE static bool join_few(const char* last, std::size_t length, std::uint64_t& number) noexcept {
    const std::uint64_t digits = digits_of(last, length, 8);
    number = join_eight_in_steps(digits);
    return likely(not_digits(digits) == 0);
  }

  HEADRACE_INLINE static bool join_digits(const char* last, std::size_t length, std::uint64_t& number) noexcept {
    const std::uint64_t high = digits_of(last, length, 16), low = digits_of(last, length, 8);
    number = std::uint64_t(join_eight_digits(high)) * 100000000 + join_eight_digits(low);
    return likely((not_digits(high) | not_digits(low)) == 0);
  }

  HEADRACE_INLINE static bool join_decimal(const char* last, std::size_t length, std::uint64_t& significand,
                                           std::int64_t& exponent) noexcept {
    std::uint64_t high = digits_of(last, length, 16), low = digits_of(last, length, 8);
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

 private:
  // Eight of the sixteen, those that are `back` bytes before `last`; what is before the number is 0.
  HEADRACE_INLINE static std::uint64_t digits_of(const char* last, std::size_t length, unsigned back) noexcept {
    return (load_eight(last - back) ^ every_byte('0')) & load_eight(last_of_sixteen + 16 - back + length);
  }
};

// Eight bytes in the order in which load_eight() reads them.
HEADRACE_INLINE void store_eight(char* to, std::uint64_t eight) noexcept {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  eight = __builtin_bswap64(eight);
#endif
  __builtin_memcpy(to, &eight, 8);
}

// Writes sixteen characters, eight in each, without the first `left_out`, at most seven; returns the end.
HEADRACE_INLINE char* store_without(unsigned left_out, char* to, std::uint64_t first, std::uint64_t second) noexcept {
  store_eight(to, first >> 8 * left_out);
  store_eight(to + 8 - left_out, second);
  return to + 16 - left_out;
}

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

  // Writes them to `to`: sixteen bytes.
  HEADRACE_INLINE void write(char* to) const noexcept {
    store_eight(to, first_ | every_byte('0'));
    store_eight(to + 8, second_ | every_byte('0'));
  }

  // Writes them to `to` without the zeros at the front, of which there are at most seven; returns the end.
  HEADRACE_INLINE char* write_significant(char* to) const noexcept {
    const unsigned zeros = static_cast<unsigned>(__builtin_ctzll(first_)) / 8;
    return store_without(zeros, to, first_ | every_byte('0'), second_ | every_byte('0'));
  }

  // Writes them to `to`, with a gap of one byte after those that `before` has all bits of: seventeen bytes.
  HEADRACE_INLINE void write(char* to, const unsigned char (&before)[16]) const noexcept {
    const std::uint64_t first = first_ | every_byte('0');
    const std::uint64_t second = second_ | every_byte('0');
    const char* const keep = reinterpret_cast<const char*>(before);
    const std::uint64_t mask = load_eight(keep), mask2 = load_eight(keep + 8);
    to[16] = static_cast<char>(second >> 56);
    store_eight(to, (first & mask) | (first << 8 & ~mask));
    store_eight(to + 8, (second & mask2) | ((second << 8 | first >> 56) & ~mask2));
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

  std::uint64_t first_, second_;
};

#if defined(__x86_64__)

// Sixteen bytes at once. Inline assembly that takes its constants from memory: builtins let the compiler load them
// early, which takes a register or two, and 2 to 5 % of the time to write a double. Instructions are spelt without VEX,
// as everywhere between HEADRACE_BASELINE_BEGIN and HEADRACE_BASELINE_END.
struct sse2 {
  using bytes = unsigned char __attribute__((vector_size(16)));
  using signed_bytes = signed char __attribute__((vector_size(16)));
  using words = std::uint16_t __attribute__((vector_size(16)));
  using qwords = std::uint64_t __attribute__((vector_size(16)));

  // In memory: the compiler would make constants of immediate values, and products of additions, number by number.
  struct alignas(16) constant {
    std::uint64_t both[2];
  };

  static constexpr constant ascii{{every_byte('0'), every_byte('0')}}, nine{{every_byte(9), every_byte(9)}};
  // to join digits
  static constexpr constant tens{{0x0a010a010a010a01, 0x0a010a010a010a01}};
  static constexpr constant hundreds{{0x0001006400010064, 0x0001006400010064}};
  static constexpr constant ten_thousands{{0x0001271000012710, 0x0001271000012710}};
  // to split numbers
  static constexpr constant by_10000{{3518437209, 3518437209}}, thousands_to_fours{{4294957296, 4294957296}};
  static constexpr constant by_100{{0x0000147b0000147b, 0x0000147b0000147b}};
  static constexpr constant hundred{{0x0000006400000064, 0x0000006400000064}};
  static constexpr constant by_10{{0x199a199a199a199a, 0x199a199a199a199a}};
  static constexpr constant tens_to_digits{{0x09ff09ff09ff09ff, 0x09ff09ff09ff09ff}};

  static HEADRACE_INLINE bytes load(const void* from) noexcept {
    bytes result;
    __builtin_memcpy(&result, from, 16);
    return result;
  }
  static HEADRACE_INLINE qwords all(const constant& of) noexcept {
    qwords result;
    __builtin_memcpy(&result, __builtin_assume_aligned(of.both, 16), 16);
    return result;
  }
  // The top bit of each byte, the first one lowest.
  static HEADRACE_INLINE std::uint32_t mask_of_bytes(bytes top_bits) noexcept {
    std::uint32_t mask;
    asm("pmovmskb %1, %0" : "=r"(mask) : "x"(top_bits));
    return mask;
  }
  // Each byte to the place after its own; a zero comes first.
  static HEADRACE_INLINE bytes shift_by_one(bytes a) noexcept {
    asm("pslldq $1, %0" : "+x"(a));
    return a;
  }
  // The dwords of each qword change places.
  static HEADRACE_INLINE qwords swap_halves(qwords a) noexcept {
    return qwords(__builtin_ia32_pshufd(int_vector(a), 0xb1));
  }
  // The lower 32 bits of each qword.
  static HEADRACE_INLINE qwords multiply(qwords a, const constant& b) noexcept {
    asm("pmuludq %1, %0" : "+x"(a) : "m"(b));
    return a;
  }
  // Products of 16 x 16 bits: their lower and their upper halves.
  static HEADRACE_INLINE qwords lower_half(qwords a, const constant& b) noexcept {
    asm("pmullw %1, %0" : "+x"(a) : "m"(b));
    return a;
  }
  static HEADRACE_INLINE qwords upper_half(qwords a, const constant& b) noexcept {
    asm("pmulhuw %1, %0" : "+x"(a) : "m"(b));
    return a;
  }
  // Products of signed words; the sum of each two.
  static HEADRACE_INLINE qwords add_products(qwords a, const constant& b) noexcept {
    asm("pmaddwd %1, %0" : "+x"(a) : "m"(b));
    return a;
  }
  // The signed dwords as words, which hold them, twice.
  static HEADRACE_INLINE qwords pack_signed(qwords a) noexcept {
    return qwords(__builtin_ia32_packssdw128(int_vector(a), int_vector(a)));
  }

 private:
  using int_vector = int __attribute__((vector_size(16)));
};

class sse2_sixteen_characters : sse2 {
 public:
  // A bit for each of 64 bytes that is whitespace, and for none that is visible in ASCII.
  HEADRACE_INLINE static std::uint64_t find_ends(const char* text) noexcept {
    std::uint64_t visible = 0;
#pragma GCC unroll 4
    for (unsigned i = 0; i < 64; i += 16) {
      visible |= std::uint64_t(mask_of_bytes(bytes(signed_bytes(load(text + i)) > ' '))) << i;
    }
    return ~visible;
  }

  HEADRACE_INLINE static bool join_few(const char* last, std::size_t length, std::uint64_t& number) noexcept {
    const bytes digits = (load_half(last - 8) ^ bytes(all(ascii))) & load_half(last_of_sixteen + 8 + length);
    number = static_cast<std::uint32_t>(join_halves(digits));
    return likely(find_others(digits) == 0);
  }

  HEADRACE_INLINE static bool join_digits(const char* last, std::size_t length, std::uint64_t& number) noexcept {
    const bytes digits = load_digits(last, length);
    number = join(digits);
    return likely(find_others(digits) == 0);
  }

  HEADRACE_INLINE static bool join_decimal(const char* last, std::size_t length, std::uint64_t& significand,
                                           std::int64_t& exponent) noexcept {
    bytes digits = load_digits(last, length);
    const std::uint32_t wrong = find_others(digits);
    exponent = 0;
    if (likely(wrong != 0)) {
      const auto point = static_cast<unsigned>(__builtin_ctz(wrong));
      if (unlikely((wrong & (wrong - 1)) != 0) || unlikely((last - 16)[point] != '.')) return false;
      exponent = static_cast<std::int64_t>(point) - 15;
      const bytes after = load(last_of_sixteen + 15 - point);
      digits = (digits & after) | (shift_by_one(digits) & ~after);
    }
    significand = join(digits);
    return likely(significand != 0);
  }

 private:
  static HEADRACE_INLINE bytes load_half(const char* from) noexcept { return bytes(qwords{load_eight(from), 0}); }
  static HEADRACE_INLINE bytes load_digits(const char* last, std::size_t length) noexcept {
    return (load(last - 16) ^ bytes(all(ascii))) & load(last_of_sixteen + length);
  }
  // A bit for each that is none of 0 to 9.
  static HEADRACE_INLINE std::uint32_t find_others(bytes digits) noexcept {
    return mask_of_bytes(bytes(signed_bytes(digits) > signed_bytes(all(nine))) | digits);
  }
  // Pairs, then fours, then all eight, as in join_eight_digits(): 32 bits for each half.
  static HEADRACE_INLINE std::uint64_t join_halves(bytes digits) noexcept {
    const auto pairs = words(lower_half(qwords(digits), tens)) >> 8;
    const qwords fours = pack_signed(add_products(qwords(pairs), hundreds));
    return add_products(fours, ten_thousands)[0];
  }
  static HEADRACE_INLINE std::uint64_t join(bytes digits) noexcept {
    const std::uint64_t eights = join_halves(digits);
    return (eights & 0xffffffff) * 100000000 + (eights >> 32);
  }
};

class sse2_sixteen_digits : sse2 {
 public:
  // Both below 10^8.
  HEADRACE_INLINE sse2_sixteen_digits(std::uint32_t upper, std::uint32_t lower) noexcept {
    const auto two = qwords{upper, lower};
    // 1. four groups of four digits, a dword each: x / 10000 = x * 3518437209 >> 45 for x < 2^32, and
    //    (x / 10000) * (2^32 - 10000) + x has x / 10000 in its upper dword, x % 10000 in the lower one
    const qwords thousands = multiply(two, by_10000) >> 45;
    const qwords fours = swap_halves(two + multiply(thousands, thousands_to_fours));
    // 2. eight groups of two, 16 bits each: x / 100 = x * 5243 >> 19 for x < 10000
    const qwords upper_two = qwords(words(upper_half(fours, by_100)) >> 3);
    const qwords pairs = upper_two | (fours - lower_half(upper_two, hundred)) << 16;
    // 3. sixteen digits, the first one lowest: x / 10 = x * 6554 >> 16 for x < 100, and 256 * (x % 10) + x / 10 is
    //    256 * x - 2559 * (x / 10)
    const qwords first = upper_half(pairs, by_10);
    digits_ = bytes(words(pairs << 8) - words(lower_half(first, tens_to_digits)));
  }

  // How many they are with `seventeenth`, without the zeros at the end. Not all are 0.
  HEADRACE_INLINE unsigned count(std::uint32_t seventeenth) const noexcept {
    std::uint32_t mask = mask_of_bytes(bytes(signed_bytes(digits_) > signed_bytes{}));
    mask |= (seventeenth + 0xffff) & 0x10000;
    return 32u - static_cast<unsigned>(__builtin_clz(mask));
  }

  // Writes them to `to`: sixteen bytes.
  HEADRACE_INLINE void write(char* to) const noexcept {
    const bytes text = digits_ | bytes(all(ascii));
    __builtin_memcpy(to, &text, 16);
  }

  // Writes them to `to` without the zeros at the front, of which there are at most seven; returns the end.
  HEADRACE_INLINE char* write_significant(char* to) const noexcept {
    const auto text = qwords(digits_ | bytes(all(ascii)));
    const auto zeros =
        static_cast<unsigned>(__builtin_ctz(mask_of_bytes(bytes(signed_bytes(digits_) > signed_bytes{}))));
    return store_without(zeros, to, text[0], text[1]);
  }

  // Writes them to `to`, with a gap of one byte after those that `before` has all bits of: seventeen bytes.
  HEADRACE_INLINE void write(char* to, const unsigned char (&before)[16]) const noexcept {
    const bytes text = digits_ | bytes(all(ascii)), mask = load(before);
    const bytes first = (text & mask) | (shift_by_one(text) & ~mask);
    __builtin_memcpy(to + 1, &text, 16);
    __builtin_memcpy(to, &first, 16);
  }

 private:
  bytes digits_;
};

using sixteen_characters = sse2_sixteen_characters;
using sixteen_digits = sse2_sixteen_digits;

#else

using sixteen_characters = plain_sixteen_characters;
using sixteen_digits = plain_sixteen_digits;

#endif

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
