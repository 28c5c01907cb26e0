// headrace/simd/avx2.hpp: AVX2 (Haswell, Zen and newer): 64 bytes of text and four tokens at a time. Why inline
// assembly: see avx512.hpp.
#pragma once

#include "../config.hpp"

#if HEADRACE_X86

#include "bit_positions.hpp"
#include "scalar.hpp"

#define HEADRACE_KERNEL HEADRACE_TARGET("avx2,bmi,bmi2,popcnt")

namespace headrace::detail::avx2 {

using u8x16 = unsigned char __attribute__((vector_size(16)));
using u16x8 = std::uint16_t __attribute__((vector_size(16)));
using u8x32 = unsigned char __attribute__((vector_size(32)));
using u64x4 = std::uint64_t __attribute__((vector_size(32)));
using s64x4 = std::int64_t __attribute__((vector_size(32)));

HEADRACE_KERNEL HEADRACE_INLINE u8x32 load(const void* from) noexcept {
  u8x32 vector;
  __builtin_memcpy(&vector, from, 32);
  return vector;
}
HEADRACE_KERNEL HEADRACE_INLINE u8x32 all_bytes(std::uint64_t eight) noexcept { return (u8x32)(u64x4{} + eight); }

// One instruction each; the names are those of the manual without the v and the p.
HEADRACE_KERNEL HEADRACE_INLINE u8x32 shufb(u8x32 bytes, u8x32 index) noexcept {
  u8x32 result;
  asm("vpshufb %2, %1, %0" : "=x"(result) : "x"(bytes), "x"(index));
  return result;
}
HEADRACE_KERNEL HEADRACE_INLINE std::uint32_t movmskb(u8x32 bytes) noexcept {
  std::uint32_t mask;
  asm("vpmovmskb %1, %0" : "=r"(mask) : "x"(bytes));
  return mask;
}
HEADRACE_KERNEL HEADRACE_INLINE u8x32 maxsb(u8x32 a, u8x32 b) noexcept {
  asm("vpmaxsb %1, %0, %0" : "+x"(a) : "x"(b));
  return a;
}
HEADRACE_KERNEL HEADRACE_INLINE u8x32 maddubsw(u8x32 a, u8x32 weights) noexcept {
  asm("vpmaddubsw %1, %0, %0" : "+x"(a) : "x"(weights));
  return a;
}
HEADRACE_KERNEL HEADRACE_INLINE u64x4 maddwd(u8x32 a, u8x32 weights) noexcept {
  u64x4 result;
  asm("vpmaddwd %2, %1, %0" : "=x"(result) : "x"(a), "x"(weights));
  return result;
}
HEADRACE_KERNEL HEADRACE_INLINE u64x4 muludq(u64x4 a, u64x4 b) noexcept {
  asm("vpmuludq %1, %0, %0" : "+x"(a) : "x"(b));
  return a;
}
HEADRACE_KERNEL HEADRACE_INLINE u64x4 load_four_tokens(const token* tokens) noexcept {
  u64x4 result;
  asm("vpmovzxdq %1, %0" : "=x"(result) : "m"(*reinterpret_cast<const token(*)[4]>(tokens)));
  return result;
}
HEADRACE_KERNEL HEADRACE_INLINE u16x8 widen_eight(const unsigned char* bytes) noexcept {
  u16x8 result;
  asm("vpmovzxbw %1, %0" : "=x"(result) : "m"(*reinterpret_cast<const unsigned char(*)[8]>(bytes)));
  return result;
}
template <class Int>
HEADRACE_KERNEL HEADRACE_INLINE void store_four(Int* to, u64x4 values) noexcept {
  if constexpr (sizeof(Int) == 8) {
    __builtin_memcpy(to, &values, 32);
  } else {
    using u32x8 = std::uint32_t __attribute__((vector_size(32)));
    u32x8 packed;
    asm("vpermd %2, %1, %0" : "=x"(packed) : "x"(u32x8{0, 2, 4, 6, 0, 2, 4, 6}), "x"(values));
    __builtin_memcpy(to, &packed, 16);
  }
}

// One bit a byte of 32: not a blank. A byte is one when a table, looked up by its low four bits, gives the byte back
// (after G. Langdale and D. Lemire, "Parsing Gigabytes of JSON per Second", 2019); bytes from 0x80 give 0.
HEADRACE_KERNEL HEADRACE_INLINE std::uint64_t solid_bytes(const char* text) noexcept {
  const u8x32 table = (u8x32)u64x4{0x0000000000000020, 0x00000d0c0b0a0900, 0x0000000000000020, 0x00000d0c0b0a0900};
  const u8x32 bytes = load(text);
  return std::uint32_t(~movmskb((u8x32)(shufb(table, bytes) == bytes)));
}

// Writes the offsets of the edges in a block of 64 bytes: eight at a time, each mask byte by the table; what is behind
// the last one is overwritten by the next block.
HEADRACE_KERNEL HEADRACE_INLINE std::size_t write_edges(const bit_positions& positions, std::uint64_t edges,
                                                        std::size_t at, std::uint16_t* edge) noexcept {
  const std::uint64_t counts = running_counts(edges);
  u16x8 offset = u16x8{} + static_cast<std::uint16_t>(at);
  for (unsigned k = 0; k < 8; ++k) {
    const u16x8 found = widen_eight(positions.of[edges >> (8 * k) & 0xff]) + offset;
    __builtin_memcpy(edge + (k == 0 ? 0 : counts >> (8 * (k - 1)) & 0xff), &found, 16);
    offset += 8;
  }
  return counts >> 56;
}

// Stage 1.
HEADRACE_KERNEL inline std::size_t index(const char* text, std::size_t size, token* tokens) noexcept {
  const bit_positions& positions = bit_positions::table();
  std::uint16_t* edge = edges_of(tokens);
  std::uint64_t carry = 0;  // 1 when the byte before this block belongs to a token
  for (std::size_t at = 0; at < size; at += 64) {
    const std::uint64_t solid = solid_bytes(text + at) | solid_bytes(text + at + 32) << 32;
    std::uint64_t edges = solid ^ (solid << 1 | carry);
    carry = solid >> 63;
    if (unlikely(size - at < 64)) edges &= (std::uint64_t(1) << (size - at)) - 1;
    edge += write_edges(positions, edges, at, edge);
  }
  return static_cast<std::size_t>(edge - edges_of(tokens));
}

// Up to eight digits of each of four tokens, right-aligned in a qword, the rest zero; `keep` has all bits of the bytes
// that belong to a token.
struct digit_block {
  u8x32 digits;
  u8x32 keep;
};

// The block whose bytes end `back` bytes before each token's end.
HEADRACE_KERNEL HEADRACE_INLINE digit_block load_block(const char* base, const token* tokens, std::size_t back,
                                                       u8x32 length_bytes) noexcept {
  using s8x32 = signed char __attribute__((vector_size(32)));
  const char* from = base - 8 - back;
  const u64x4 bytes = {load_eight(from + tokens[0].end), load_eight(from + tokens[1].end),
                       load_eight(from + tokens[2].end), load_eight(from + tokens[3].end)};
  digit_block block;
  block.keep = (u8x32)((s8x32)length_bytes > (s8x32)all_bytes(0x0001020304050607 + every_byte(back)));
  block.digits = ((u8x32)bytes - all_bytes(every_byte('0'))) & block.keep;
  return block;
}

// As in avx512.hpp: nothing but digits, and a minus first in its token that digits follow.
HEADRACE_KERNEL HEADRACE_INLINE bool is_clean(const digit_block& block, u8x32 before, bool last) noexcept {
  const u8x32 wrong = block.digits | (block.digits + all_bytes(every_byte(0x76)));
  const u8x32 minus = (u8x32)(block.digits == all_bytes(every_byte('-' - '0' + 256)));
  const std::uint32_t follows = ((movmskb(block.keep) << 1) & 0xfefefefe) | ((movmskb(before) >> 7) & 0x01010101);
  return (movmskb(wrong) & ~(movmskb(minus) & ~follows & (last ? 0x7f7f7f7f : 0xffffffff))) == 0;
}

// All bits of each token that has a minus.
HEADRACE_KERNEL HEADRACE_INLINE u64x4 signs_of(u8x32 digits) noexcept {
  return (u64x4)((s64x4)(digits & all_bytes(every_byte(0x80))) != 0);
}

HEADRACE_KERNEL HEADRACE_INLINE u64x4 join(u8x32 digits) noexcept {
  const u8x32 pairs = maddubsw(maxsb(digits, u8x32{}), all_bytes(0x010a010a010a010a));
  const u64x4 fours = maddwd(pairs, all_bytes(0x0001006400010064));
  return muludq(fours, u64x4{} + 10000) + (fours >> 32);
}

// Stores four values unless one does not fit; see avx512.hpp. Sums are below 10^16 here, so a signed comparison does.
template <class Int>
HEADRACE_KERNEL HEADRACE_INLINE bool finish_four(u64x4 sums, u64x4 negative, bool long_tokens, Int* out) noexcept {
  if constexpr (!is_signed_integer<Int>) {
    if (unlikely(movmskb((u8x32)negative) != 0)) return false;
  }
  if constexpr (sizeof(Int) < 8) {
    if (unlikely(long_tokens)) {
      const s64x4 limit = (s64x4)(u64x4{} + static_cast<std::uint64_t>(greatest<Int>) - negative);
      if (movmskb((u8x32)((s64x4)sums > limit)) != 0) return false;
    }
  }
  store_four(out, (sums ^ negative) - negative);
  return true;
}

// Four tokens of up to 16 bytes; steps as in avx512.hpp, but each token is loaded by its own end.
template <class Int>
HEADRACE_KERNEL HEADRACE_INLINE bool convert_four(const char* base, const token* tokens, Int* out) noexcept {
  const u64x4 pairs = load_four_tokens(tokens);
  const u64x4 lengths = (pairs >> 16) - (pairs & 0xffff);
  const u8x32 length_bytes =
      shufb((u8x32)lengths, (u8x32)u64x4{0, every_byte(8), 0, every_byte(8)});
  const digit_block block = load_block(base, tokens, 0, length_bytes);
  if (likely(movmskb((u8x32)((s64x4)lengths > 8)) == 0)) {
    if (unlikely(!is_clean(block, u8x32{}, true))) return false;
    return finish_four(join(block.digits), signs_of(block.digits), false, out);
  }
  if (movmskb((u8x32)((s64x4)lengths > 16)) != 0) return false;
  const digit_block left = load_block(base, tokens, 8, length_bytes);
  if (unlikely(!is_clean(block, left.keep, true) || !is_clean(left, u8x32{}, false))) return false;
  const u64x4 sums = join(block.digits) + muludq(join(left.digits), u64x4{} + 100000000);
  return finish_four(sums, signs_of(block.digits | left.digits), true, out);
}

// Stage 2.
template <class Int>
HEADRACE_KERNEL std::size_t convert(const char* base, const token* tokens, std::size_t count, Int* out) noexcept {
  std::size_t done = 0;
  for (; done + 4 <= count; done += 4) {
    if (likely(convert_four(base, tokens + done, out + done))) continue;
    const std::size_t taken = scalar::convert(base, tokens + done, 4, out + done);
    if (taken != 4) return done + taken;
  }
  return done + scalar::convert(base, tokens + done, count - done, out + done);
}

}  // namespace headrace::detail::avx2

#undef HEADRACE_KERNEL
#endif
