// headrace/detail/simd/avx2.hpp: AVX2, BMI1 and BMI2 (Haswell, Zen and newer). Why inline assembly: see sse41.hpp.
#pragma once

#include "bit_places.hpp"
#include "cpu.hpp"
#include "scalar.hpp"
#include "target.hpp"

#if defined(__x86_64__)
HEADRACE_TARGET_BEGIN(HEADRACE_AVX2_FEATURES)

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace avx2 {

constexpr unsigned vector_size = 32;
#include "generic/vectors.hpp"

// As in sse41.hpp.
HEADRACE_INLINE bytes all_bytes(std::uint64_t eight) noexcept {
  qwords constant = qwords{} + eight;
  asm("" : "+x"(constant));
  return bytes(constant);
}
HEADRACE_INLINE bytes in_each_lane(std::uint64_t first, std::uint64_t second) noexcept {
  return bytes(qwords{first, second, first, second});
}
HEADRACE_INLINE bytes lookup(bytes table, bytes index) noexcept { HEADRACE_TWO(bytes, "vpshufb", table, index); }
HEADRACE_INLINE std::uint32_t mask_of_bytes(bytes top_bits) noexcept {
  std::uint32_t mask;
  asm("vpmovmskb %1, %0" : "=r"(mask) : "x"(top_bits));
  return mask;
}
template <class Found>
HEADRACE_INLINE std::uint64_t mask_of_block(const char* block) noexcept {
  return mask_of_bytes(Found::in(load(block))) | std::uint64_t(mask_of_bytes(Found::in(load(block + 32)))) << 32;
}
HEADRACE_INLINE bytes max_signed(bytes a, bytes b) noexcept { HEADRACE_TWO(bytes, "vpmaxsb", a, b); }
HEADRACE_INLINE bytes add_pairs(bytes a, bytes weights) noexcept { HEADRACE_TWO(bytes, "vpmaddubsw", a, weights); }
HEADRACE_INLINE bytes add_pairs_of_words(bytes a, bytes weights) noexcept {
  HEADRACE_TWO(bytes, "vpmaddwd", a, weights);
}
HEADRACE_INLINE bytes pack_words(bytes a, bytes b) noexcept { HEADRACE_TWO(bytes, "vpackusdw", a, b); }
HEADRACE_INLINE dwords even_dwords(bytes a, bytes b) noexcept {
  asm("vshufps $0x88, %1, %0, %0" : "+x"(a) : "x"(b));
  return dwords(a);
}
HEADRACE_INLINE qwords widen(const dwords& values, int half) noexcept {
  HEADRACE_ASM(qwords, "=x", "vpmovsxdq %1, %0", "m"(reinterpret_cast<const std::int32_t(*)[4]>(&values)[half]));
}
HEADRACE_INLINE words_of_16 widen_places(const unsigned char (&places)[8]) noexcept {
  words_of_16 result;
  asm("vpmovzxbw %1, %0" : "=x"(result) : "m"(places));
  return result;
}
// Tokens 0 and 1 in the lower lane, 4 and 5 in the upper one.
HEADRACE_INLINE bytes load_last_8(const char* base, const std::uint16_t* edges) noexcept {
  return bytes(qwords{load_eight(base - 8 + edges[1]), load_eight(base - 8 + edges[3]), load_eight(base - 8 + edges[9]),
                      load_eight(base - 8 + edges[11])});
}

#include "generic/check_digits.hpp"
#include "generic/convert.hpp"

// ---- longer tokens: four at a time, each in a qword, which gains a quarter over one at a time ----

HEADRACE_INLINE qwords multiply(qwords a, std::uint64_t factor) noexcept {  // the lower 32 bits of each
  asm("vpmuludq %1, %0, %0" : "+x"(a) : "x"(all_bytes(factor)));
  return a;
}
HEADRACE_INLINE qwords load_edges(const std::uint16_t* edges) noexcept {
  HEADRACE_ASM(qwords, "=x", "vpmovzxdq %1, %0", "m"(*reinterpret_cast<const std::uint16_t(*)[8]>(edges)));
}

// The block whose bytes end `back` bytes before each token's end.
HEADRACE_INLINE digit_block load_block(const char* base, const std::uint16_t* edges, std::size_t back,
                                       bytes length_of_byte) noexcept {
  const char* from = base - 8 - back;
  const qwords text = {load_eight(from + edges[1]), load_eight(from + edges[3]), load_eight(from + edges[5]),
                       load_eight(from + edges[7])};
  digit_block block;
  block.keep = bytes(signed_bytes(length_of_byte) > signed_bytes(all_bytes(0x0001020304050607 + every_byte(back))));
  block.digits = (bytes(text) - all_bytes(every_byte('0'))) & block.keep;
  return block;
}

// Whether find_wrong() finds nothing in a block that has another one, `before`, to its left in the same tokens; `last`:
// none is to its right.
HEADRACE_INLINE bool is_clean(const digit_block& block, std::uint32_t before, bool last) noexcept {
  const std::uint32_t wrong = mask_of_bytes(block.digits | (block.digits + all_bytes(every_byte(0x76))));
  const std::uint32_t minus = mask_of_bytes(bytes(block.digits == all_bytes(every_byte('-' - '0' + 256))));
  const std::uint32_t follows = ((mask_of_bytes(block.keep) << 1) & 0xfefefefe) | ((before >> 7) & 0x01010101);
  return (wrong & ~(minus & ~follows & (last ? 0x7f7f7f7f : 0xffffffff))) == 0;
}

// Eight digits in each qword.
HEADRACE_INLINE qwords join_eights(bytes digits) noexcept {
  const qwords fours = qwords(join_fours(digits));
  return multiply(fours, 10000) + (fours >> 32);
}
HEADRACE_INLINE qwords join_unsigned(bytes digits) noexcept { return join_eights(max_signed(digits, bytes{})); }

// Stores four values of less than 2^63 unless one is out of range.
template <unsigned Width>
HEADRACE_INLINE bool store_four(qwords sums, bytes digits, char* out, integer_range range) noexcept {
  using signed_qwords = std::int64_t __attribute__((vector_size(32)));
  const qwords negative = qwords(qwords(digits & all_bytes(every_byte(0x80))) != 0);
  if (unlikely(range.max_negative == 0 && mask_of_bytes(bytes(negative)) != 0)) return false;
  if (range.max <= 0xffffffff) {
    const signed_qwords limit = signed_qwords(qwords(all_bytes(range.max)) - negative);
    if (mask_of_bytes(bytes(signed_qwords(sums) > limit)) != 0) return false;
  }
  const qwords values = (sums ^ negative) - negative;
  if constexpr (Width == 8) {
    __builtin_memcpy(out, &values, 32);
  } else {
    dwords packed;
    asm("vpermd %2, %1, %0" : "=x"(packed) : "x"(dwords{0, 2, 4, 6, 0, 2, 4, 6}), "x"(values));
    __builtin_memcpy(out, &packed, 16);
  }
  return true;
}

// Four tokens of up to 20 bytes, of which the first four digits are less than those of the largest value: what is
// closer to it is left to the scalar function.
template <unsigned Width>
__attribute__((noinline)) bool convert_four_wide(const char* base, const std::uint16_t* edges, char* out,
                                                 integer_range range) noexcept {
  using signed_qwords = std::int64_t __attribute__((vector_size(32)));
  const qwords pairs = load_edges(edges);
  const qwords lengths = (pairs >> 16) - (pairs & 0xffff);
  if (mask_of_bytes(bytes(signed_qwords(lengths) > 20)) != 0) return false;
  const bytes length_of_byte = lookup(bytes(lengths), in_each_lane(0, every_byte(8)));
  const digit_block last = load_block(base, edges, 0, length_of_byte);
  const digit_block middle = load_block(base, edges, 8, length_of_byte);
  const digit_block left = load_block(base, edges, 16, length_of_byte);
  if (unlikely(!is_clean(last, mask_of_bytes(middle.keep), true) ||
               !is_clean(middle, mask_of_bytes(left.keep), false) || !is_clean(left, 0, false))) {
    return false;
  }
  constexpr std::uint64_t sixteen_digits = 10000000000000000u;
  const qwords high = join_unsigned(left.digits);
  if (mask_of_bytes(bytes(signed_qwords(high) >= signed_qwords(all_bytes(range.max / sixteen_digits)))) != 0) {
    return false;
  }
  const qwords low = join_unsigned(last.digits) + multiply(join_unsigned(middle.digits), 100000000);
  const qwords scaled = multiply(high, sixteen_digits) + (multiply(high, sixteen_digits >> 32) << 32);
  return store_four<Width>(low + scaled, last.digits | middle.digits | left.digits, out, range);
}

// Four tokens of up to 16 bytes.
template <unsigned Width>
HEADRACE_INLINE bool convert_four(const char* base, const std::uint16_t* edges, char* out,
                                  integer_range range) noexcept {
  using signed_qwords = std::int64_t __attribute__((vector_size(32)));
  const qwords pairs = load_edges(edges);
  const qwords lengths = (pairs >> 16) - (pairs & 0xffff);
  if (mask_of_bytes(bytes(signed_qwords(lengths) > 16)) != 0) {
    return Width == 8 && convert_four_wide<Width>(base, edges, out, range);
  }
  const bytes length_of_byte = lookup(bytes(lengths), in_each_lane(0, every_byte(8)));
  const digit_block block = load_block(base, edges, 0, length_of_byte);
  const digit_block left = load_block(base, edges, 8, length_of_byte);
  if (unlikely(!is_clean(block, mask_of_bytes(left.keep), true) || !is_clean(left, 0, false))) return false;
  const qwords sums = join_unsigned(block.digits) + multiply(join_unsigned(left.digits), 100000000);
  return store_four<Width>(sums, block.digits | left.digits, out, range);
}

template <unsigned Width>
__attribute__((noinline)) std::size_t convert_mixed(const char* base, const std::uint16_t* edges, std::size_t done,
                                                    std::size_t count, char* out, integer_range range) noexcept {
  while (done + 4 <= count && likely(convert_four<Width>(base, edges + 2 * done, out + done * Width, range))) {
    done += 4;
    if (edges[2 * done - 1] - edges[2 * done - 2] <= 8) break;
  }
  return done;
}

#include "generic/scan_bytes.hpp"
#include "generic/index.hpp"  // after what it is made of

}  // namespace avx2
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

HEADRACE_TARGET_END
#endif
