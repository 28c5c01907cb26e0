// headrace/detail/simd/neon.hpp: NEON on 64-bit Arm, where every processor has it: 64 bytes of text and four tokens at
// a time. Why inline assembly: see avx512.hpp.
#pragma once

#include "../../config.hpp"
#include "bit_positions.hpp"
#include "scalar.hpp"

#if HEADRACE_NEON

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace neon {

using u8x8 = unsigned char __attribute__((vector_size(8)));
using u8x16 = unsigned char __attribute__((vector_size(16)));
using s8x16 = signed char __attribute__((vector_size(16)));
using u16x8 = std::uint16_t __attribute__((vector_size(16)));
using u32x4 = std::uint32_t __attribute__((vector_size(16)));
using s32x4 = std::int32_t __attribute__((vector_size(16)));
using u64x2 = std::uint64_t __attribute__((vector_size(16)));
using s64x2 = std::int64_t __attribute__((vector_size(16)));

HEADRACE_INLINE u8x16 load(const char* from) noexcept {
  u8x16 bytes;
  __builtin_memcpy(&bytes, from, 16);
  return bytes;
}
HEADRACE_INLINE u8x16 all_bytes(std::uint64_t eight) noexcept { return (u8x16)(u64x2{} + eight); }
HEADRACE_INLINE bool any_bit(u8x16 bytes) noexcept { return (((u64x2)bytes)[0] | ((u64x2)bytes)[1]) != 0; }

// One instruction each; the names are those of the manual.
HEADRACE_INLINE u8x16 tbl(u8x16 table, u8x16 index) noexcept {
  u8x16 result;
  asm("tbl %0.16b, {%1.16b}, %2.16b" : "=w"(result) : "w"(table), "w"(index));
  return result;
}
HEADRACE_INLINE u8x16 smax(u8x16 a, u8x16 b) noexcept {
  u8x16 result;
  asm("smax %0.16b, %1.16b, %2.16b" : "=w"(result) : "w"(a), "w"(b));
  return result;
}
HEADRACE_INLINE u8x16 addp_bytes(u8x16 a, u8x16 b) noexcept {
  u8x16 result;
  asm("addp %0.16b, %1.16b, %2.16b" : "=w"(result) : "w"(a), "w"(b));
  return result;
}
HEADRACE_INLINE s32x4 addp_words(u32x4 a, u32x4 b) noexcept {
  s32x4 result;
  asm("addp %0.4s, %1.4s, %2.4s" : "=w"(result) : "w"(a), "w"(b));
  return result;
}
HEADRACE_INLINE u16x8 uaddlp(u8x16 bytes) noexcept {
  u16x8 result;
  asm("uaddlp %0.8h, %1.16b" : "=w"(result) : "w"(bytes));
  return result;
}
HEADRACE_INLINE u32x4 uaddlp(u16x8 halves) noexcept {
  u32x4 result;
  asm("uaddlp %0.4s, %1.8h" : "=w"(result) : "w"(halves));
  return result;
}
HEADRACE_INLINE s32x4 even_words(u64x2 a, u64x2 b) noexcept {
  s32x4 result;
  asm("uzp1 %0.4s, %1.4s, %2.4s" : "=w"(result) : "w"(a), "w"(b));
  return result;
}

// One bit a byte of 64 from four vectors of 0 or 255: each byte keeps the bit of its place among eight, and neighbours
// are added until eight bits are a byte.
HEADRACE_INLINE std::uint64_t bits_of(u8x16 a, u8x16 b, u8x16 c, u8x16 d) noexcept {
  const u8x16 bit = all_bytes(0x8040201008040201);
  const u8x16 pairs = addp_bytes(addp_bytes(a & bit, b & bit), addp_bytes(c & bit, d & bit));
  return ((u64x2)addp_bytes(pairs, pairs))[0];
}

// 255 where a byte is no blank; by a table of the low four bits, see avx2.hpp.
HEADRACE_INLINE u8x16 solid_bytes(const char* text) noexcept {
  const u8x16 bytes = load(text);
  const u8x16 table = (u8x16)u64x2{0x0000000000000020, 0x00000d0c0b0a0900};
  return (u8x16)(tbl(table, bytes & all_bytes(every_byte(0x0f))) != bytes);
}

HEADRACE_INLINE u8x16 newlines(const char* text) noexcept { return (u8x16)(load(text) == all_bytes(every_byte('\n'))); }

// Writes the offsets of the bits of a mask, eight at a time; what is behind the last one is overwritten later.
HEADRACE_INLINE std::size_t write_edges(const bit_positions& positions, std::uint64_t edges, std::size_t at,
                                        std::uint16_t* edge) noexcept {
  const std::uint64_t counts = running_counts(edges);
  u16x8 offset = u16x8{} + static_cast<std::uint16_t>(at);
  for (unsigned k = 0; k < 8; ++k) {
    u8x8 found;
    __builtin_memcpy(&found, positions.of[edges >> (8 * k) & 0xff], 8);
    const u16x8 wide = __builtin_convertvector(found, u16x8) + offset;
    __builtin_memcpy(edge + (k == 0 ? 0 : counts >> (8 * k - 8) & 0xff), &wide, 16);
    offset += 8;
  }
  return counts >> 56;
}

// Stage 1.
inline std::size_t index(const char* text, std::size_t size, token* tokens) noexcept {
  const bit_positions& positions = bit_positions::table();
  std::uint16_t* edge = edges_of(tokens);
  std::uint64_t carry = 0;  // 1 when the byte before this block belongs to a token
  for (std::size_t at = 0; at < size; at += 64) {
    const char* block = text + at;
    const std::uint64_t solid =
        bits_of(solid_bytes(block), solid_bytes(block + 16), solid_bytes(block + 32), solid_bytes(block + 48));
    std::uint64_t edges = solid ^ (solid << 1 | carry);
    carry = solid >> 63;
    if (unlikely(size - at < 64)) edges &= (std::uint64_t(1) << (size - at)) - 1;
    edge += write_edges(positions, edges, at, edge);
  }
  return static_cast<std::size_t>(edge - edges_of(tokens));
}

// Where the newlines are; writes at most `size` offsets and 64 more that mean nothing.
inline std::size_t index_newlines(const char* text, std::size_t size, std::uint16_t* out) noexcept {
  const bit_positions& positions = bit_positions::table();
  std::uint16_t* next = out;
  for (std::size_t at = 0; at < size; at += 64) {
    const char* block = text + at;
    std::uint64_t found = bits_of(newlines(block), newlines(block + 16), newlines(block + 32), newlines(block + 48));
    if (unlikely(size - at < 64)) found &= (std::uint64_t(1) << (size - at)) - 1;
    if (found != 0) next += write_edges(positions, found, at, next);
  }
  return static_cast<std::size_t>(next - out);
}

// The last eight bytes of two tokens as digits, right-aligned in a qword, the rest zero; `keep` has all bits of the
// bytes that belong to a token.
struct digit_block {
  u8x16 digits;
  u8x16 keep;
};

HEADRACE_INLINE digit_block load_two(const char* base, const token* tokens, u8x16 lengths, std::uint64_t first,
                                     std::uint64_t second) noexcept {
  const u64x2 bytes = {load_eight(base - 8 + tokens[0].end), load_eight(base - 8 + tokens[1].end)};
  digit_block block;
  block.keep = (u8x16)((s8x16)tbl(lengths, (u8x16)u64x2{first, second}) > (s8x16)all_bytes(0x0001020304050607));
  block.digits = ((u8x16)bytes - all_bytes(every_byte('0'))) & block.keep;
  return block;
}

// Top bit of each byte that is neither a digit nor a minus first in its token that digits follow.
HEADRACE_INLINE u8x16 unclean_bytes(const digit_block& block) noexcept {
  const u8x16 wrong = block.digits | (block.digits + all_bytes(every_byte(0x76)));
  const u8x16 minus = (u8x16)(block.digits == all_bytes(every_byte('-' - '0' + 256)));
  const u8x16 follows = (u8x16)((u64x2)block.keep << 8);
  return wrong & ~(minus & ~follows & all_bytes(~std::uint64_t(0) >> 8)) & all_bytes(every_byte(0x80));
}

// The two halves of each token's number: four digits a word.
HEADRACE_INLINE u32x4 join_fours(u8x16 digits) noexcept {
  const u16x8 pairs = uaddlp(smax(digits, u8x16{}) * (u8x16)all_bytes(0x010a010a010a010a));
  return uaddlp(pairs * (u16x8)all_bytes(0x0001006400010064));
}

// Four tokens of up to eight bytes, or false; steps as in sse41.hpp.
template <class Int>
HEADRACE_INLINE bool convert_four(const char* base, const token* tokens, Int* out) noexcept {
  s32x4 pairs;
  __builtin_memcpy(&pairs, tokens, 16);
  const s32x4 lengths = ((s32x4)((u64x2)pairs >> 16) & 0xffff) - (pairs & 0xffff);
  if (unlikely(any_bit((u8x16)(lengths > 8)))) return false;
  const digit_block a = load_two(base, tokens, (u8x16)lengths, 0, every_byte(4));
  const digit_block b = load_two(base, tokens + 2, (u8x16)lengths, every_byte(8), every_byte(12));
  if (unlikely(any_bit(unclean_bytes(a) | unclean_bytes(b)))) return false;

  const u32x4 weights = {10000, 1, 10000, 1};
  const s32x4 sums = addp_words(join_fours(a.digits) * weights, join_fours(b.digits) * weights);
  const u8x16 top_bits = all_bytes(every_byte(0x80));
  const s32x4 negative =
      even_words((u64x2)((s64x2)(a.digits & top_bits) != 0), (u64x2)((s64x2)(b.digits & top_bits) != 0));
  if constexpr (!is_signed_integer<Int>) {
    if (unlikely(any_bit((u8x16)negative))) return false;
  }
  const s32x4 values = (sums ^ negative) - negative;
  if constexpr (sizeof(Int) == 8) {
    for (int i = 0; i < 4; ++i) out[i] = static_cast<Int>(values[i]);
  } else {
    __builtin_memcpy(out, &values, 16);
  }
  return true;
}

// Stage 2. Longer tokens go one by one: sixteen digits are two general registers.
template <class Int>
std::size_t convert(const char* base, const token* tokens, std::size_t count, Int* out) noexcept {
  std::size_t done = 0;
  for (; done + 4 <= count; done += 4) {
    if (likely(convert_four(base, tokens + done, out + done))) continue;
    const std::size_t taken = scalar::convert(base, tokens + done, 4, out + done);
    if (taken != 4) return done + taken;
  }
  return done + scalar::convert(base, tokens + done, count - done, out + done);
}

}  // namespace neon
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

#endif
