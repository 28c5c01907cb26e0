// headrace/detail/simd/avx2.hpp: AVX2 (Haswell, Zen and newer): 64 bytes of text and four tokens at a time. Why inline
// assembly: see avx512.hpp.
#pragma once

#include "../../config.hpp"
#include "bit_positions.hpp"
#include "scalar.hpp"

#if HEADRACE_X86

#define HEADRACE_KERNEL HEADRACE_TARGET("avx2,bmi,bmi2,popcnt")

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace avx2 {

using u8x16 = unsigned char __attribute__((vector_size(16)));
using u16x8 = std::uint16_t __attribute__((vector_size(16)));
using u8x32 = unsigned char __attribute__((vector_size(32)));
using u64x4 = std::uint64_t __attribute__((vector_size(32)));
using s32x8 = std::int32_t __attribute__((vector_size(32)));
using s64x4 = std::int64_t __attribute__((vector_size(32)));

HEADRACE_KERNEL HEADRACE_INLINE u8x32 load(const void* from) noexcept {
  u8x32 vector;
  __builtin_memcpy(&vector, from, 32);
  return vector;
}
// A constant, eight bytes in each qword; pinned as in avx512.hpp.
HEADRACE_KERNEL HEADRACE_INLINE u64x4 all_qwords(std::uint64_t eight) noexcept {
  u64x4 constant = u64x4{} + eight;
  asm("" : "+x"(constant));
  return constant;
}
HEADRACE_KERNEL HEADRACE_INLINE u8x32 all_bytes(std::uint64_t eight) noexcept { return (u8x32)all_qwords(eight); }

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
HEADRACE_KERNEL HEADRACE_INLINE u8x32 packusdw(u8x32 a, u8x32 b) noexcept {
  asm("vpackusdw %1, %0, %0" : "+x"(a) : "x"(b));
  return a;
}
HEADRACE_KERNEL HEADRACE_INLINE u8x32 sadbw(u8x32 a, u8x32 b) noexcept {
  asm("vpsadbw %1, %0, %0" : "+x"(a) : "x"(b));
  return a;
}
HEADRACE_KERNEL HEADRACE_INLINE s32x8 even_dwords(u8x32 a, u8x32 b) noexcept {
  s32x8 result;
  asm("vshufps $0x88, %2, %1, %0" : "=x"(result) : "x"(a), "x"(b));
  return result;
}
HEADRACE_KERNEL HEADRACE_INLINE u64x4 widen_four(const s32x8& values, int half) noexcept {
  u64x4 result;
  asm("vpmovsxdq %1, %0" : "=x"(result) : "m"(reinterpret_cast<const std::int32_t(*)[4]>(&values)[half]));
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
    const std::uint64_t solid = solid_bytes(text + at) | solid_bytes(text + at + 32) << 32;
    std::uint64_t edges = solid ^ (solid << 1 | carry);
    carry = solid >> 63;
    if (unlikely(size - at < 64)) edges &= (std::uint64_t(1) << (size - at)) - 1;
    edge += write_edges(positions, edges, at, edge);
  }
  return static_cast<std::size_t>(edge - edges_of(tokens));
}

// One bit a byte of 32: a newline.
HEADRACE_KERNEL HEADRACE_INLINE std::uint64_t newlines(const char* text) noexcept {
  return movmskb((u8x32)(load(text) == all_bytes(every_byte('\n'))));
}

// Where the newlines are; writes at most `size` offsets and 64 more that mean nothing.
HEADRACE_KERNEL inline std::size_t index_newlines(const char* text, std::size_t size, std::uint16_t* out) noexcept {
  const bit_positions& positions = bit_positions::table();
  std::uint16_t* next = out;
  for (std::size_t at = 0; at < size; at += 64) {
    const char* block = text + at;
    std::uint64_t found = newlines(block) | newlines(block + 32) << 32;
    if (unlikely(size - at < 64)) found &= (std::uint64_t(1) << (size - at)) - 1;
    if (found != 0) next += write_edges(positions, found, at, next);
  }
  return static_cast<std::size_t>(next - out);
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

// As in avx512.hpp: nothing but digits, and a minus first in its token that digits follow. In general registers: the
// vector ports are the busy ones.
HEADRACE_KERNEL HEADRACE_INLINE bool is_clean(const digit_block& block, std::uint32_t before, bool last) noexcept {
  const u8x32 wrong = block.digits | (block.digits + all_bytes(every_byte(0x76)));
  const u8x32 minus = (u8x32)(block.digits == all_bytes(every_byte('-' - '0' + 256)));
  const std::uint32_t follows = ((movmskb(block.keep) << 1) & 0xfefefefe) | ((before >> 7) & 0x01010101);
  return (movmskb(wrong) & ~(movmskb(minus) & ~follows & (last ? 0x7f7f7f7f : 0xffffffff))) == 0;
}

// All bits of each token that has a minus.
HEADRACE_KERNEL HEADRACE_INLINE u64x4 signs_of(u8x32 digits) noexcept {
  return (u64x4)((s64x4)(digits & all_bytes(every_byte(0x80))) != 0);
}

HEADRACE_KERNEL HEADRACE_INLINE u64x4 join(u8x32 digits) noexcept {
  const u8x32 pairs = maddubsw(maxsb(digits, u8x32{}), all_bytes(0x010a010a010a010a));
  const u64x4 fours = maddwd(pairs, all_bytes(0x0001006400010064));
  return muludq(fours, all_qwords(10000)) + (fours >> 32);
}

// Stores four values unless one does not fit; see avx512.hpp. Where sums are compared they are below 10^16, so a signed
// comparison does.
template <class Int>
HEADRACE_KERNEL HEADRACE_INLINE bool finish_four(u64x4 sums, u64x4 negative, [[maybe_unused]] bool long_tokens,
                                                 Int* out) noexcept {
  if constexpr (!is_signed_integer<Int>) {
    if (unlikely(movmskb((u8x32)negative) != 0)) return false;
  }
  if constexpr (sizeof(Int) < 8) {
    if (unlikely(long_tokens)) {
      const s64x4 limit = (s64x4)(all_qwords(static_cast<std::uint64_t>(greatest<Int>)) - negative);
      if (movmskb((u8x32)((s64x4)sums > limit)) != 0) return false;
    }
  }
  store_four(out, (sums ^ negative) - negative);
  return true;
}

// Four tokens of up to 20 bytes, of which the first four digits are less than those of the greatest Int: what is
// closer to it is left to the scalar function.
template <class Int>
HEADRACE_KERNEL __attribute__((noinline)) bool convert_four_wide(const char* base, const token* tokens,
                                                                 Int* out) noexcept {
  const u64x4 pairs = load_four_tokens(tokens);
  const u64x4 lengths = (pairs >> 16) - (pairs & 0xffff);
  if (movmskb((u8x32)((s64x4)lengths > 20)) != 0) return false;
  const u8x32 length_bytes = shufb((u8x32)lengths, (u8x32)u64x4{0, every_byte(8), 0, every_byte(8)});
  const digit_block last = load_block(base, tokens, 0, length_bytes);
  const digit_block middle = load_block(base, tokens, 8, length_bytes);
  const digit_block left = load_block(base, tokens, 16, length_bytes);
  if (unlikely(!is_clean(last, movmskb(middle.keep), true) || !is_clean(middle, movmskb(left.keep), false) ||
               !is_clean(left, 0, false))) {
    return false;
  }
  constexpr std::uint64_t sixteen_digits = 10000000000000000u;
  const u64x4 high = join(left.digits);
  if (movmskb((u8x32)((s64x4)high >= (s64x4)all_qwords(greatest<Int> / sixteen_digits))) != 0) return false;
  const u64x4 low = join(last.digits) + muludq(join(middle.digits), all_qwords(100000000));
  const u64x4 scaled =
      muludq(high, all_qwords(sixteen_digits)) + (muludq(high, all_qwords(sixteen_digits >> 32)) << 32);
  return finish_four(low + scaled, signs_of(last.digits | middle.digits | left.digits), false, out);
}

// Four tokens of up to 16 bytes; steps as in avx512.hpp, but each token is loaded by its own end.
template <class Int>
HEADRACE_KERNEL HEADRACE_INLINE bool convert_four(const char* base, const token* tokens, Int* out) noexcept {
  const u64x4 pairs = load_four_tokens(tokens);
  const u64x4 lengths = (pairs >> 16) - (pairs & 0xffff);
  const u8x32 length_bytes = shufb((u8x32)lengths, (u8x32)u64x4{0, every_byte(8), 0, every_byte(8)});
  const digit_block block = load_block(base, tokens, 0, length_bytes);
  if (likely(movmskb((u8x32)((s64x4)lengths > 8)) == 0)) {
    if (unlikely(!is_clean(block, 0, true))) return false;
    return finish_four(join(block.digits), signs_of(block.digits), false, out);
  }
  if (movmskb((u8x32)((s64x4)lengths > 16)) != 0) {
    if constexpr (sizeof(Int) == 8) return convert_four_wide(base, tokens, out);
    return false;
  }
  const digit_block left = load_block(base, tokens, 8, length_bytes);
  if (unlikely(!is_clean(block, movmskb(left.keep), true) || !is_clean(left, 0, false))) return false;
  const u64x4 sums = join(block.digits) + muludq(join(left.digits), all_qwords(100000000));
  return finish_four(sums, signs_of(block.digits | left.digits), true, out);
}

// The last eight bytes of tokens i, i + 1 and, in the upper half, i + 4, i + 5.
HEADRACE_KERNEL HEADRACE_INLINE digit_block load_two_and_two(const char* base, const token* tokens, u8x32 lengths,
                                                             std::uint64_t first, std::uint64_t second) noexcept {
  using s8x32 = signed char __attribute__((vector_size(32)));
  const u8x32 spread = (u8x32)u64x4{first, second, first, second};
  const u64x4 bytes = {load_eight(base - 8 + tokens[0].end), load_eight(base - 8 + tokens[1].end),
                       load_eight(base - 8 + tokens[4].end), load_eight(base - 8 + tokens[5].end)};
  digit_block block;
  block.keep = (u8x32)((s8x32)shufb(lengths, spread) > (s8x32)all_bytes(0x0001020304050607));
  block.digits = ((u8x32)bytes - all_bytes(every_byte('0'))) & block.keep;
  return block;
}

// Eight tokens of up to eight bytes, four in each of two registers until their numbers fit 32 bits.
template <class Int>
HEADRACE_KERNEL HEADRACE_INLINE bool convert_eight(const char* base, const token* tokens, Int* out) noexcept {
  const s32x8 pairs = (s32x8)load(tokens);
  const s32x8 lengths = ((s32x8)((u64x4)pairs >> 16) & 0xffff) - (pairs & 0xffff);
  if (unlikely(movmskb((u8x32)(lengths > 8)) != 0)) return false;
  const digit_block a = load_two_and_two(base, tokens, (u8x32)lengths, 0, every_byte(4));
  const digit_block b = load_two_and_two(base, tokens + 2, (u8x32)lengths, every_byte(8), every_byte(12));
  if (unlikely(!is_clean(a, 0, true) || !is_clean(b, 0, true))) return false;

  const u8x32 zero{};
  const u8x32 tens = all_bytes(0x010a010a010a010a), hundreds = all_bytes(0x0001006400010064);
  const u8x32 fours = packusdw((u8x32)maddwd(maddubsw(maxsb(a.digits, zero), tens), hundreds),
                               (u8x32)maddwd(maddubsw(maxsb(b.digits, zero), tens), hundreds));
  const s32x8 sums = (s32x8)maddwd(fours, all_bytes(0x0001271000012710));
  const u8x32 top_bits = all_bytes(every_byte(0x80));
  const s32x8 negative = even_dwords(sadbw(a.digits & top_bits, zero), sadbw(b.digits & top_bits, zero)) > 0;
  if constexpr (!is_signed_integer<Int>) {
    if (unlikely(movmskb((u8x32)negative) != 0)) return false;
  }
  const s32x8 values = (sums ^ negative) - negative;
  if constexpr (sizeof(Int) == 8) {
    const u64x4 low = widen_four(values, 0), high = widen_four(values, 1);
    __builtin_memcpy(out, &low, 32);
    __builtin_memcpy(out + 4, &high, 32);
  } else {
    __builtin_memcpy(out, &values, 32);
  }
  return true;
}

// As many as go eight at a time; without calls, so that constants stay in registers.
template <class Int>
HEADRACE_KERNEL __attribute__((noinline)) std::size_t convert_eights(const char* base, const token* tokens,
                                                                     std::size_t count, Int* out) noexcept {
  std::size_t done = 0;
  while (done + 8 <= count && likely(convert_eight(base, tokens + done, out + done))) done += 8;
  return done;
}

// Stage 2.
template <class Int>
HEADRACE_KERNEL std::size_t convert(const char* base, const token* tokens, std::size_t count, Int* out) noexcept {
  std::size_t done = convert_eights(base, tokens, count, out);
  while (done + 4 <= count) {
    if (!convert_four(base, tokens + done, out + done)) {
      const std::size_t taken = scalar::convert(base, tokens + done, 4, out + done);
      if (taken != 4) return done + taken;
    }
    done += 4;
    if (tokens[done - 1].end - tokens[done - 1].begin <= 8) {
      done += convert_eights(base, tokens + done, count - done, out + done);
    }
  }
  return done + scalar::convert(base, tokens + done, count - done, out + done);
}

}  // namespace avx2
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

#undef HEADRACE_KERNEL
#endif
