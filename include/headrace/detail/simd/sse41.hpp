// headrace/detail/simd/sse41.hpp: SSE4.1 (Penryn and newer): 64 bytes of text and four tokens at a time. Why inline
// assembly: see avx512.hpp.
#pragma once

#include "../../config.hpp"
#include "bit_positions.hpp"
#include "scalar.hpp"

#if HEADRACE_X86

#define HEADRACE_KERNEL HEADRACE_TARGET("sse4.1,popcnt")

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace sse41 {

using u8x16 = unsigned char __attribute__((vector_size(16)));
using s8x16 = signed char __attribute__((vector_size(16)));
using u16x8 = std::uint16_t __attribute__((vector_size(16)));
using s32x4 = std::int32_t __attribute__((vector_size(16)));
using u64x2 = std::uint64_t __attribute__((vector_size(16)));

// A constant, eight bytes in each qword; pinned as in avx512.hpp.
HEADRACE_KERNEL HEADRACE_INLINE u8x16 all_bytes(std::uint64_t eight) noexcept {
  u64x2 constant = u64x2{} + eight;
  asm("" : "+x"(constant));
  return (u8x16)constant;
}

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
HEADRACE_KERNEL HEADRACE_INLINE u8x16 maddwd(u8x16 a, u8x16 weights) noexcept {
  asm("pmaddwd %1, %0" : "+x"(a) : "x"(weights));
  return a;
}
HEADRACE_KERNEL HEADRACE_INLINE u8x16 packusdw(u8x16 a, u8x16 b) noexcept {
  asm("packusdw %1, %0" : "+x"(a) : "x"(b));
  return a;
}
HEADRACE_KERNEL HEADRACE_INLINE u8x16 sadbw(u8x16 a, u8x16 b) noexcept {
  asm("psadbw %1, %0" : "+x"(a) : "x"(b));
  return a;
}
HEADRACE_KERNEL HEADRACE_INLINE s32x4 even_dwords(u8x16 a, u8x16 b) noexcept {
  asm("shufps $0x88, %1, %0" : "+x"(a) : "x"(b));
  return (s32x4)a;
}
HEADRACE_KERNEL HEADRACE_INLINE u64x2 widen_two(const s32x4& values, int half) noexcept {
  u64x2 result;
  asm("pmovsxdq %1, %0" : "=x"(result) : "m"(reinterpret_cast<const std::int32_t(*)[2]>(&values)[half]));
  return result;
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

// Writes the offsets of the edges in byte k of a mask; what is behind the last one is overwritten later.
HEADRACE_KERNEL HEADRACE_INLINE void write_edges_of_byte(unsigned k, const bit_positions& positions,
                                                         std::uint64_t edges, std::uint64_t counts, u16x8 offset,
                                                         std::uint16_t* edge) noexcept {
  const u16x8 found = widen_eight(positions.of[edges >> (8 * k) & 0xff]) + offset + static_cast<std::uint16_t>(8 * k);
  if (k != 0) edge += counts >> (8 * k - 8) & 0xff;
  __builtin_memcpy(edge, &found, 16);
}

// The same for a block of 64 bytes, the eight stores independent of each other.
HEADRACE_KERNEL HEADRACE_INLINE std::size_t write_edges(const bit_positions& positions, std::uint64_t edges,
                                                        std::size_t at, std::uint16_t* edge) noexcept {
  const std::uint64_t counts = running_counts(edges);
  const u16x8 offset = u16x8{} + static_cast<std::uint16_t>(at);
  write_edges_of_byte(0, positions, edges, counts, offset, edge);
  write_edges_of_byte(1, positions, edges, counts, offset, edge);
  write_edges_of_byte(2, positions, edges, counts, offset, edge);
  write_edges_of_byte(3, positions, edges, counts, offset, edge);
  write_edges_of_byte(4, positions, edges, counts, offset, edge);
  write_edges_of_byte(5, positions, edges, counts, offset, edge);
  write_edges_of_byte(6, positions, edges, counts, offset, edge);
  write_edges_of_byte(7, positions, edges, counts, offset, edge);
  return counts >> 56;
}

// Stage 1.
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

    edge += write_edges(positions, edges, at, edge);
  }
  return static_cast<std::size_t>(edge - edges_of(tokens));
}

// One bit a byte of 16: a newline.
HEADRACE_KERNEL HEADRACE_INLINE std::uint64_t newlines(const char* text) noexcept {
  u8x16 bytes;
  __builtin_memcpy(&bytes, text, 16);
  return movmskb((u8x16)(bytes == all_bytes(every_byte('\n'))));
}

// Where the newlines are; writes at most `size` offsets and 64 more that mean nothing.
HEADRACE_KERNEL inline std::size_t index_newlines(const char* text, std::size_t size, std::uint16_t* out) noexcept {
  const bit_positions& positions = bit_positions::table();
  std::uint16_t* next = out;
  for (std::size_t at = 0; at < size; at += 64) {
    const char* block = text + at;
    std::uint64_t found =
        newlines(block) | newlines(block + 16) << 16 | newlines(block + 32) << 32 | newlines(block + 48) << 48;
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

HEADRACE_KERNEL HEADRACE_INLINE digit_block load_two(const char* base, const token* tokens, u8x16 lengths,
                                                     std::uint64_t first, std::uint64_t second) noexcept {
  const u64x2 bytes = {load_eight(base - 8 + tokens[0].end), load_eight(base - 8 + tokens[1].end)};
  digit_block block;
  block.keep = (u8x16)((s8x16)shufb(lengths, (u8x16)u64x2{first, second}) > (s8x16)all_bytes(0x0001020304050607));
  block.digits = ((u8x16)bytes - all_bytes(every_byte('0'))) & block.keep;
  return block;
}

// Nothing but digits, and a minus first in its token that digits follow.
HEADRACE_KERNEL HEADRACE_INLINE bool is_clean(const digit_block& block) noexcept {
  const std::uint32_t wrong = movmskb(block.digits | (block.digits + all_bytes(every_byte(0x76))));
  const std::uint32_t minus = movmskb((u8x16)(block.digits == all_bytes(every_byte('-' - '0' + 256))));
  const std::uint32_t follows = (movmskb(block.keep) << 1) & 0xfefe;
  return (wrong & ~(minus & ~follows & 0x7f7f)) == 0;
}

// Four tokens of up to eight bytes, or false:
//     1. load the 8 bytes that end with each, subtract '0', zero what stands before the token
//     2. check
//     3. join pairs, fours, eights; negate; store
template <class Int>
HEADRACE_KERNEL HEADRACE_INLINE bool convert_four(const char* base, const token* tokens, Int* out) noexcept {
  s32x4 pairs;
  __builtin_memcpy(&pairs, tokens, 16);
  const s32x4 lengths = ((s32x4)((u64x2)pairs >> 16) & 0xffff) - (pairs & 0xffff);
  if (unlikely(movmskb((u8x16)(lengths > 8)) != 0)) return false;
  const digit_block a = load_two(base, tokens, (u8x16)lengths, 0, every_byte(4));
  const digit_block b = load_two(base, tokens + 2, (u8x16)lengths, every_byte(8), every_byte(12));
  if (unlikely(!is_clean(a) || !is_clean(b))) return false;

  const u8x16 zero{};
  const u8x16 tens = all_bytes(0x010a010a010a010a), hundreds = all_bytes(0x0001006400010064);
  const u8x16 fours = packusdw(maddwd(maddubsw(maxsb(a.digits, zero), tens), hundreds),
                               maddwd(maddubsw(maxsb(b.digits, zero), tens), hundreds));
  const s32x4 sums = (s32x4)maddwd(fours, all_bytes(0x0001271000012710));
  const u8x16 top_bits = all_bytes(every_byte(0x80));
  const s32x4 negative = even_dwords(sadbw(a.digits & top_bits, zero), sadbw(b.digits & top_bits, zero)) > 0;
  if constexpr (!is_signed_integer<Int>) {
    if (unlikely(movmskb((u8x16)negative) != 0)) return false;
  }
  const s32x4 values = (sums ^ negative) - negative;
  if constexpr (sizeof(Int) == 8) {
    const u64x2 low = widen_two(values, 0), high = widen_two(values, 1);
    __builtin_memcpy(out, &low, 16);
    __builtin_memcpy(out + 2, &high, 16);
  } else {
    __builtin_memcpy(out, &values, 16);
  }
  return true;
}

// As many as go four at a time; without calls, so that constants stay in registers.
template <class Int>
HEADRACE_KERNEL __attribute__((noinline)) std::size_t convert_fours(const char* base, const token* tokens,
                                                                    std::size_t count, Int* out) noexcept {
  std::size_t done = 0;
  while (done + 4 <= count && likely(convert_four(base, tokens + done, out + done))) done += 4;
  return done;
}

// One token of nine to twenty digits, or false: sixteen of them in one register, up to four in a general one. What is
// close to the greatest Int is left to the scalar function.
template <class Int>
HEADRACE_KERNEL HEADRACE_INLINE bool convert_long(const char* base, const token& one, Int& out) noexcept {
  const bool negative = base[one.begin] == '-';
  const std::size_t length = static_cast<std::size_t>(one.end) - one.begin - negative;
  if (length < 9 || length > 20) return false;
  const char* const from = base + one.end - 16;
  u8x16 bytes;
  __builtin_memcpy(&bytes, from, 16);
  const s8x16 counts = s8x16{} + static_cast<signed char>(length);
  const u8x16 keep = (u8x16)(counts > (s8x16)u64x2{0x08090a0b0c0d0e0f, 0x0001020304050607});
  const u8x16 digits = (bytes - all_bytes(every_byte('0'))) & keep;
  if (movmskb(digits | (digits + all_bytes(every_byte(0x76)))) != 0) return false;
  u8x16 fours = maddwd(maddubsw(digits, all_bytes(0x010a010a010a010a)), all_bytes(0x0001006400010064));
  fours = packusdw(fours, fours);
  const std::uint64_t eights = ((u64x2)maddwd(fours, all_bytes(0x0001271000012710)))[0];
  std::uint64_t sum = (eights & 0xffffffff) * 100000000 + (eights >> 32);
  if (length > 16) {
    constexpr std::uint64_t sixteen_digits = 10000000000000000u;
    const std::uint64_t left = last_digits(from - 8, length - 16);
    const std::uint32_t high = join_eight_digits(left);
    if (not_digits(left) || high >= static_cast<std::uint64_t>(greatest<Int>) / sixteen_digits) return false;
    sum += high * sixteen_digits;
  }
  return assign_if_fits(out, sum, negative);
}

// The same for any token.
template <class Int>
HEADRACE_KERNEL HEADRACE_INLINE std::size_t convert_one_by_one(const char* base, const token* tokens, std::size_t count,
                                                               Int* out) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    if (!convert_long(base, tokens[i], out[i]) && scalar::convert(base, tokens + i, 1, out + i) != 1) return i;
  }
  return count;
}

// Stage 2.
template <class Int>
HEADRACE_KERNEL std::size_t convert(const char* base, const token* tokens, std::size_t count, Int* out) noexcept {
  std::size_t done = convert_fours(base, tokens, count, out);
  while (done + 4 <= count) {
    const std::size_t taken = convert_one_by_one(base, tokens + done, 4, out + done);
    if (taken != 4) return done + taken;
    done += 4;
    if (tokens[done - 1].end - tokens[done - 1].begin <= 8) {
      done += convert_fours(base, tokens + done, count - done, out + done);
    }
  }
  return done + scalar::convert(base, tokens + done, count - done, out + done);
}

}  // namespace sse41
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

#undef HEADRACE_KERNEL
#endif
