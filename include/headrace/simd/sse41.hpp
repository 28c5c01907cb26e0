// headrace/simd/sse41.hpp: SSE4.1 (Penryn and newer): 64 bytes of text and two tokens at a time. Why inline assembly:
// see avx512.hpp.
#pragma once

#include "../config.hpp"

#if HEADRACE_X86

#include "bit_positions.hpp"
#include "scalar.hpp"

#define HEADRACE_KERNEL HEADRACE_TARGET("sse4.1,popcnt")

namespace headrace::detail::sse41 {

using u8x16 = unsigned char __attribute__((vector_size(16)));
using s8x16 = signed char __attribute__((vector_size(16)));
using u16x8 = std::uint16_t __attribute__((vector_size(16)));
using u64x2 = std::uint64_t __attribute__((vector_size(16)));

HEADRACE_KERNEL HEADRACE_INLINE u8x16 all_bytes(std::uint64_t eight) noexcept { return (u8x16)(u64x2{} + eight); }

// One instruction each; the names are those of the manual without the p.
HEADRACE_KERNEL HEADRACE_INLINE u8x16 shufb(u8x16 bytes, u8x16 index) noexcept {
  asm("pshufb %1, %0" : "+x"(bytes) : "x"(index));
  return bytes;
}
HEADRACE_KERNEL HEADRACE_INLINE std::uint32_t movmskb(u8x16 bytes) noexcept {
  std::uint32_t mask;
  asm("pmovmskb %1, %0" : "=r"(mask) : "x"(bytes));
  return mask;
}
HEADRACE_KERNEL HEADRACE_INLINE u8x16 maxsb(u8x16 a, u8x16 b) noexcept {
  asm("pmaxsb %1, %0" : "+x"(a) : "x"(b));
  return a;
}
HEADRACE_KERNEL HEADRACE_INLINE u8x16 maddubsw(u8x16 a, u8x16 weights) noexcept {
  asm("pmaddubsw %1, %0" : "+x"(a) : "x"(weights));
  return a;
}
HEADRACE_KERNEL HEADRACE_INLINE u64x2 maddwd(u8x16 a, u8x16 weights) noexcept {
  asm("pmaddwd %1, %0" : "+x"(a) : "x"(weights));
  return (u64x2)a;
}
HEADRACE_KERNEL HEADRACE_INLINE u64x2 muludq(u64x2 a, u64x2 b) noexcept {
  asm("pmuludq %1, %0" : "+x"(a) : "x"(b));
  return a;
}
HEADRACE_KERNEL HEADRACE_INLINE u16x8 widen_eight(const unsigned char* bytes) noexcept {
  u16x8 result;
  asm("pmovzxbw %1, %0" : "=x"(result) : "m"(*reinterpret_cast<const unsigned char(*)[8]>(bytes)));
  return result;
}

// One bit a byte of 16: not a blank; by a table of the low four bits, see avx2.hpp.
HEADRACE_KERNEL HEADRACE_INLINE std::uint64_t solid_bytes(const char* text) noexcept {
  u8x16 bytes;
  __builtin_memcpy(&bytes, text, 16);
  const u8x16 table = (u8x16)u64x2{0x0000000000000020, 0x00000d0c0b0a0900};
  return movmskb((u8x16)(shufb(table, bytes) == bytes)) ^ 0xffffu;
}

// Stage 1. Edges are written eight mask bits at a time; what is behind the last one is overwritten by the next block.
HEADRACE_KERNEL inline std::size_t index(const char* text, std::size_t size, token* tokens) noexcept {
  const bit_positions& positions = bit_positions::table();
  std::uint16_t* edge = edges_of(tokens);
  std::uint64_t carry = 0;  // 1 when the byte before this block belongs to a token
  for (std::size_t at = 0; at < size; at += 64) {
    const char* block = text + at;
    const std::uint64_t solid = solid_bytes(block) | solid_bytes(block + 16) << 16 | solid_bytes(block + 32) << 32 |
                                solid_bytes(block + 48) << 48;
    std::uint64_t edges = solid ^ (solid << 1 | carry);
    carry = solid >> 63;
    if (unlikely(size - at < 64)) edges &= (std::uint64_t(1) << (size - at)) - 1;

    const std::uint64_t counts = running_counts(edges);
    u16x8 offset = u16x8{} + static_cast<std::uint16_t>(at);
    for (unsigned k = 0; k < 8; ++k) {
      const u16x8 found = widen_eight(positions.of[edges >> (8 * k) & 0xff]) + offset;
      __builtin_memcpy(edge + (k == 0 ? 0 : counts >> (8 * (k - 1)) & 0xff), &found, 16);
      offset += 8;
    }
    edge += counts >> 56;
  }
  return static_cast<std::size_t>(edge - edges_of(tokens));
}

// Two tokens of up to eight bytes, or false:
//     1. load the 8 bytes that end with each, subtract '0', zero what stands before the token
//     2. check: nothing but digits, and a minus first in its token that digits follow
//     3. join pairs, fours, eights; negate; store
// These fit any Int of 32 bits.
template <class Int>
HEADRACE_KERNEL HEADRACE_INLINE bool convert_two(const char* base, const token* tokens, Int* out) noexcept {
  const std::uint64_t length0 = std::uint64_t(tokens[0].end) - tokens[0].begin;
  const std::uint64_t length1 = std::uint64_t(tokens[1].end) - tokens[1].begin;
  if (unlikely(length0 > 8 || length1 > 8)) return false;
  const u64x2 bytes = {load_eight(base + tokens[0].end - 8), load_eight(base + tokens[1].end - 8)};
  const u64x2 keep = {~std::uint64_t(0) << (64 - 8 * length0), ~std::uint64_t(0) << (64 - 8 * length1)};
  const u8x16 digits = ((u8x16)bytes - all_bytes(every_byte('0'))) & (u8x16)keep;

  const std::uint32_t wrong = movmskb(digits | (digits + all_bytes(every_byte(0x76))));
  const std::uint32_t minus = movmskb((u8x16)(digits == all_bytes(every_byte('-' - '0' + 256))));
  const std::uint32_t follows = (movmskb((u8x16)keep) << 1) & 0xfefe;
  if (unlikely((wrong & ~(minus & ~follows & 0x7f7f)) != 0)) return false;
  const u64x2 negative = {std::uint64_t(0) - ((minus & 0xff) != 0), std::uint64_t(0) - (minus > 0xff)};
  if constexpr (!is_signed_integer<Int>) {
    if (unlikely(minus != 0)) return false;
  }
  const u8x16 pairs = maddubsw(maxsb(digits, u8x16{}), all_bytes(0x010a010a010a010a));
  const u64x2 fours = maddwd(pairs, all_bytes(0x0001006400010064));
  const u64x2 sums = ((muludq(fours, u64x2{} + 10000) + (fours >> 32)) ^ negative) - negative;
  out[0] = static_cast<Int>(sums[0]);
  out[1] = static_cast<Int>(sums[1]);
  return true;
}

// Stage 2.
template <class Int>
HEADRACE_KERNEL std::size_t convert(const char* base, const token* tokens, std::size_t count, Int* out) noexcept {
  std::size_t done = 0;
  for (; done + 2 <= count; done += 2) {
    if (likely(convert_two(base, tokens + done, out + done))) continue;
    const std::size_t taken = scalar::convert(base, tokens + done, 2, out + done);
    if (taken != 2) return done + taken;
  }
  return done + scalar::convert(base, tokens + done, count - done, out + done);
}

}  // namespace headrace::detail::sse41

#undef HEADRACE_KERNEL
#endif
