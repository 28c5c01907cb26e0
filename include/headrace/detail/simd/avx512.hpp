// headrace/detail/simd/avx512.hpp: AVX-512 with VBMI and VBMI2 (Ice Lake, Zen 4 and newer): 64 bytes of text and eight
// tokens at a time, by permutes of whole registers: so it shares less with the others. Why inline assembly: see
// sse41.hpp.
#pragma once

#include "../../format.hpp"
#include "../format_float_quick.hpp"
#include "../powers.hpp"
#include "scalar.hpp"
#include "target.hpp"

#if defined(__x86_64__)
HEADRACE_TARGET_BEGIN(HEADRACE_AVX512_FEATURES)

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace avx512 {

using u8x64 = unsigned char __attribute__((vector_size(64)));
using u8x32 = unsigned char __attribute__((vector_size(32)));
using u16x8 = std::uint16_t __attribute__((vector_size(16)));
using u16x32 = std::uint16_t __attribute__((vector_size(64)));
using u32x16 = std::uint32_t __attribute__((vector_size(64)));
using u32x8 = std::uint32_t __attribute__((vector_size(32)));
using u64x8 = std::uint64_t __attribute__((vector_size(64)));
using mask64 = std::uint64_t;
using mask8 = std::uint8_t;

template <class Vector>
HEADRACE_INLINE Vector load(const void* from) noexcept {
  Vector vector;
  __builtin_memcpy(&vector, from, sizeof vector);
  return vector;
}
template <class Vector>
HEADRACE_INLINE void store(void* to, Vector vector) noexcept {
  __builtin_memcpy(to, &vector, sizeof vector);
}
// A constant, eight bytes in each qword. The empty instruction keeps GCC from building it again in every round of a
// loop, which cost a tenth of stage 2.
HEADRACE_INLINE u64x8 all_qwords(std::uint64_t eight) noexcept {
  u64x8 constant = u64x8{} + eight;
  asm("" : "+v"(constant));
  return constant;
}
HEADRACE_INLINE u8x64 all_bytes(std::uint64_t eight) noexcept { return u8x64(all_qwords(eight)); }

// One instruction each; the names are those of the manual without the v and the p.
template <class Vector>  // of 64 or 32 bytes
HEADRACE_INLINE Vector permb(Vector table, Vector index) noexcept {
  HEADRACE_ASM(Vector, "=v", "vpermb %1, %2, %0", "v"(table), "v"(index));
}
HEADRACE_INLINE u8x64 permi2b(u8x64 index, u8x64 low, u8x64 high) noexcept {
  HEADRACE_INTO(index, "vpermi2b %2, %1, %0", "v"(low), "v"(high));
}
HEADRACE_INLINE u64x8 permi2q(u64x8 index, u64x8 low, u64x8 high) noexcept {
  HEADRACE_INTO(index, "vpermi2q %2, %1, %0", "v"(low), "v"(high));
}
HEADRACE_INLINE u8x64 shufb(u8x64 bytes, u8x64 index) noexcept { HEADRACE_TWO(u8x64, "vpshufb", bytes, index); }
HEADRACE_INLINE u8x64 compressb(mask64 mask, u8x64 bytes) noexcept {
  HEADRACE_ASM(u8x64, "=v", "vpcompressb %1, %0%{%2%}%{z%}", "v"(bytes), "Yk"(mask));
}
HEADRACE_INLINE u16x8 compressw(mask8 mask, u16x8 words) noexcept {
  HEADRACE_ASM(u16x8, "=v", "vpcompressw %1, %0%{%2%}%{z%}", "v"(words), "Yk"(mask));
}
HEADRACE_INLINE u8x64 subb_masked(mask64 mask, u8x64 a, u8x64 b) noexcept {
  HEADRACE_ASM(u8x64, "=v", "vpsubb %2, %1, %0%{%3%}%{z%}", "v"(a), "v"(b), "Yk"(mask));
}
HEADRACE_INLINE mask64 different(u8x64 a, u8x64 b) noexcept { HEADRACE_MASK(mask64, "vpcmpneqb", a, b); }
HEADRACE_INLINE mask64 equal(u8x64 a, u8x64 b) noexcept { HEADRACE_MASK(mask64, "vpcmpeqb", a, b); }
HEADRACE_INLINE mask64 at_least(u8x64 a, u8x64 b) noexcept { HEADRACE_MASK(mask64, "vpcmpnltub", a, b); }
HEADRACE_INLINE mask64 above(u8x64 a, u8x64 b) noexcept { HEADRACE_MASK(mask64, "vpcmpnleub", a, b); }
HEADRACE_INLINE mask8 above(u64x8 a, u64x8 b) noexcept { HEADRACE_MASK(mask8, "vpcmpnleuq", a, b); }
HEADRACE_INLINE mask8 any_common_bit(u64x8 a, u64x8 b) noexcept { HEADRACE_MASK(mask8, "vptestmq", a, b); }
HEADRACE_INLINE u8x64 keep_bytes(mask64 mask, u8x64 bytes) noexcept {
  HEADRACE_ASM(u8x64, "=v", "vmovdqu8 %1, %0%{%2%}%{z%}", "v"(bytes), "Yk"(mask));
}
HEADRACE_INLINE u64x8 keep_qwords(mask8 mask, u64x8 qwords) noexcept {
  HEADRACE_ASM(u64x8, "=v", "vmovdqa64 %1, %0%{%2%}%{z%}", "v"(qwords), "Yk"(mask));
}
HEADRACE_INLINE u64x8 replace_qwords(u64x8 otherwise, mask8 mask, u64x8 qwords) noexcept {
  HEADRACE_INTO(otherwise, "vmovdqa64 %1, %0%{%2%}", "v"(qwords), "Yk"(mask));
}
HEADRACE_INLINE mask8 is_zero(u64x8 a) noexcept { HEADRACE_ASM(mask8, "=k", "vptestnmq %1, %1, %0", "v"(a)); }
HEADRACE_INLINE mask8 is_nonzero(u64x8 a) noexcept { return any_common_bit(a, a); }
// Halves are named by %t, for which clang 19 writes k0 where the register is zmm16: "x" is one of zmm0 to zmm15.
HEADRACE_INLINE u16x32 widen_low_half(u8x64 bytes) noexcept {
  HEADRACE_ASM(u16x32, "=v", "vpmovzxbw %t1, %0", "x"(bytes));
}
HEADRACE_INLINE u16x32 widen_high_half(u8x64 bytes) noexcept {
  asm("vextracti64x4 $1, %0, %t0" : "+x"(bytes));
  return widen_low_half(bytes);
}
HEADRACE_INLINE u64x8 load_edges(const std::uint16_t* edges) noexcept {
  HEADRACE_ASM(u64x8, "=v", "vpmovzxdq %1, %0", "m"(*reinterpret_cast<const std::uint16_t(*)[16]>(edges)));
}
HEADRACE_INLINE u8x64 maxsb(u8x64 a, u8x64 b) noexcept { HEADRACE_TWO(u8x64, "vpmaxsb", a, b); }
HEADRACE_INLINE u16x32 maddubsw(u8x64 a, u8x64 weights) noexcept { HEADRACE_TWO(u16x32, "vpmaddubsw", a, weights); }
HEADRACE_INLINE u64x8 maddwd(u16x32 a, u8x64 weights) noexcept { HEADRACE_TWO(u64x8, "vpmaddwd", a, weights); }
HEADRACE_INLINE u64x8 muludq(u64x8 a, u64x8 b) noexcept { HEADRACE_TWO(u64x8, "vpmuludq", a, b); }
HEADRACE_INLINE u64x8 negate_masked(u64x8 value, mask8 mask) noexcept {
  HEADRACE_INTO(value, "vpsubq %0, %2, %0%{%1%}", "Yk"(mask), "v"(u64x8{}));
}
HEADRACE_INLINE u64x8 add_masked(u64x8 value, mask8 mask, u64x8 addend) noexcept {
  HEADRACE_INTO(value, "vpaddq %2, %0, %0%{%1%}", "Yk"(mask), "v"(addend));
}
HEADRACE_INLINE u64x8 unpack_low(u64x8 a, u64x8 b) noexcept { HEADRACE_TWO(u64x8, "vpunpcklqdq", a, b); }
HEADRACE_INLINE u64x8 unpack_high(u64x8 a, u64x8 b) noexcept { HEADRACE_TWO(u64x8, "vpunpckhqdq", a, b); }
// 16 bytes from each of eight addresses: the first eight bytes of each, and the second eight.
struct halves {
  u64x8 first;
  u64x8 second;
};
template <unsigned Lane>
HEADRACE_INLINE u64x8 insert_lane(u64x8 lanes, const void* from) noexcept {
  HEADRACE_INTO(lanes, "vinserti64x2 %2, %1, %0, %0", "m"(*static_cast<const char(*)[16]>(from)), "i"(Lane));
}
HEADRACE_INLINE u64x8 load_in_each_lane(const void* from) noexcept {
  HEADRACE_ASM(u64x8, "=v", "vbroadcasti64x2 %1, %0", "m"(*static_cast<const char(*)[16]>(from)));
}
template <class Address>
HEADRACE_INLINE halves load_halves(Address at) noexcept {
  const u64x8 even = insert_lane<3>(insert_lane<2>(insert_lane<1>(load_in_each_lane(at(0)), at(2)), at(4)), at(6));
  const u64x8 odd = insert_lane<3>(insert_lane<2>(insert_lane<1>(load_in_each_lane(at(1)), at(3)), at(5)), at(7));
  return {unpack_low(even, odd), unpack_high(even, odd)};
}

// ---- the index and integers ----

template <unsigned Width>
HEADRACE_INLINE void store_eight(char* to, u64x8 values) noexcept {
  if constexpr (Width == 8) {
    store(to, values);
  } else {
    asm("vpmovqd %1, %0" : "=m"(*reinterpret_cast<char(*)[32]>(to)) : "v"(values));
  }
}

// A byte is whitespace when a table of 64 entries, looked up by the byte's low six bits, gives the byte back; every
// other entry holds a value whose low six bits differ from its place.
HEADRACE_INLINE mask64 mask_of_solid(const char* block) noexcept {
  alignas(64) static constexpr unsigned char table[64] = {
      1,   0, 0, 0, 0, 0, 0, 0, 0, 9, 10, 11, 12, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      ' ', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const u8x64 text = load<u8x64>(block);
  return different(permb(load<u8x64>(table), text), text);
}

HEADRACE_INLINE mask64 mask_of_newlines(const char* block) noexcept {
  return equal(load<u8x64>(block), all_bytes(every_byte('\n')));
}

// In each word, by way of memory: a broadcast from a general register takes the port of the compress, which is what the
// index waits for.
HEADRACE_INLINE u16x32 all_words(std::size_t word) noexcept {
  const auto twice = static_cast<std::uint32_t>(word) * 0x10001;
  u16x32 words;
  asm("vpbroadcastd %1, %0" : "=v"(words) : "m"(twice));
  return words;
}

alignas(64) inline constexpr unsigned char byte_places[64] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

struct place_writer {
  static constexpr bool skips_nothing = true;  // to test for an empty mask costs more than to write it

  // Writes at + the places of the bits in a mask, one after the other, as 16-bit offsets.
  HEADRACE_INLINE std::uint16_t* write(std::uint16_t* to, mask64 mask, std::size_t at) const noexcept {
    const u8x64 found = compressb(mask, load<u8x64>(byte_places));
    const u16x32 offset = all_words(at);
    const auto count = static_cast<std::size_t>(__builtin_popcountll(mask));
    store(to, widen_low_half(found) + offset);
    if (unlikely(count > 32)) store(to + 32, widen_high_half(found) + offset);
    return to + count;
  }
};

#include "generic/index.hpp"

// Up to eight digits of each of eight tokens, right-aligned in a qword, the rest zero; `keep` has a bit for each byte
// that belongs to a token.
struct digit_block {
  u8x64 digits;
  mask64 keep;
};

// In each qword: its own lowest byte, eight times.
HEADRACE_INLINE u8x64 spread_low_byte(u64x8 values) noexcept {
  return shufb(u8x64(values), u8x64(u64x8{0, every_byte(8), 0, every_byte(8), 0, every_byte(8), 0, every_byte(8)}));
}

// A bit for each byte of a qword that holds the last eight bytes of a token: is the token that long?
HEADRACE_INLINE mask64 bytes_of_tokens(u8x64 lengths, unsigned back) noexcept {
  return at_least(lengths, all_bytes(0x0102030405060708 + every_byte(back)));
}

// The bytes of a block that are neither digits nor, first in their token, a minus that digits follow. `before` has the
// bits of the block to the left, which holds the tokens' earlier bytes, and `last` says that this is the rightmost
// block.
HEADRACE_INLINE mask64 find_wrong(const digit_block& block, mask64 before, bool last) noexcept {
  const mask64 wrong = above(block.digits, all_bytes(every_byte(9)));
  const mask64 minus = equal(block.digits, all_bytes(every_byte('-' - '0' + 256)));
  const mask64 follows = ((block.keep << 1) & every_byte(0xfe)) | ((before >> 7) & every_byte(0x01));
  return wrong & ~(minus & ~follows & (last ? every_byte(0x7f) : ~mask64(0)));
}

// Joins the digits of each qword: pairs, fours (the first four below the others), eights.
HEADRACE_INLINE u64x8 join_fours(u8x64 digits) noexcept {
  return maddwd(maddubsw(digits, all_bytes(0x010a010a010a010a)), all_bytes(0x0001006400010064));
}
HEADRACE_INLINE u64x8 join_eights(u8x64 digits) noexcept {
  const u64x8 fours = join_fours(digits);
  return muludq(fours, all_qwords(10000)) + (fours >> 32);
}
HEADRACE_INLINE u64x8 join(u8x64 digits) noexcept {
  return join_eights(maxsb(digits, u8x64{}));
}  // a minus counts as 0

// The qwords that have a bit of a byte mask.
HEADRACE_INLINE mask8 lanes_of(mask64 some) noexcept {
  return is_nonzero(u64x8(keep_bytes(some, all_bytes(every_byte(1)))));
}

// Which are greater than what their sign allows.
HEADRACE_INLINE mask8 find_too_great(u64x8 sums, mask8 negative, integer_range range) noexcept {
  return above(sums, add_masked(all_qwords(range.max), negative, all_qwords(range.max_negative - range.max)));
}

// Tokens of the eight at `place`, a bit for each.
HEADRACE_INLINE void note_malformed(unsigned which, std::size_t place, refusals& refused) noexcept {
  alignas(16) static constexpr std::uint16_t places[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const auto mark = static_cast<std::uint16_t>(place | refusals::malformed);
  store(refused.next, compressw(static_cast<mask8>(which), load<u16x8>(places) + mark));
  refused.next += __builtin_popcount(which);
}

HEADRACE_INLINE mask64 find_plus(const digit_block& block) noexcept {
  return equal(block.digits, all_bytes(every_byte('+' - '0' + 256)));
}

// Notes which of the eight tokens at `place` are malformed, without a branch on how many there are: `wrong` has the
// wrong bytes of each, `rare` the tokens that only a look at them can tell. False: the eight are left to the scalar
// function.
template <class... Blocks>
HEADRACE_INLINE bool note_refused(std::size_t place, mask64 wrong, unsigned rare, refusals* refused,
                                  const Blocks&... blocks) noexcept {
  if (refused == nullptr) return false;
  const mask8 plus = lanes_of((find_plus(blocks) | ...)), malformed = lanes_of(wrong);
  if (((rare | plus) & ~(malformed & ~unsigned{plus})) != 0) return false;
  note_malformed(malformed, place, *refused);
  return true;
}

// Stores the values of eight tokens, if each has one. `wrong` has the wrong bytes of each, `beyond` the tokens of more
// than 64 bits. `long_tokens`: some token has more than eight bytes; shorter ones fit any type of 32 bits that has
// their sign. False: the eight are left to the scalar function.
template <unsigned Width>
struct eight_values {
  static constexpr unsigned width = Width;
  char* out;
  integer_range range;
  refusals* refused;

  template <class... Blocks>
  HEADRACE_INLINE bool take(std::size_t place, u64x8 sums, mask8 negative, mask64 wrong, mask8 beyond, bool long_tokens,
                            const Blocks&... blocks) const noexcept {
    const u64x8 values = negate_masked(sums, negative);
    unsigned rare = beyond;
    if (long_tokens) rare |= find_too_great(sums, negative, range);
    if (unlikely(range.max_negative == 0)) rare |= negative;
    if (unlikely((wrong | rare) != 0) && !note_refused(place, wrong, rare, refused, blocks...)) return false;
    store_eight<Width>(out + place * Width, values);
    return true;
  }
};

// Eight tokens wherever they are in the window, of each the last 8 * Count bytes: the last eight first.
template <unsigned Count>
struct token_blocks {
  digit_block of[Count];
  mask64 wrong = 0;
  mask8 negative;

  HEADRACE_INLINE token_blocks(const char* base, const std::uint16_t* edges, u64x8 lengths) noexcept {
    const u8x64 length_bytes = spread_low_byte(lengths);
    u64x8 text[Count + 1];
#pragma GCC unroll 3
    for (unsigned i = 0; i < Count; i += 2) {
      const char* const from = base - 16 - 8 * i;
      const halves both = load_halves([=](int k) { return from + edges[2 * k + 1]; });
      text[i] = both.second;
      text[i + 1] = both.first;
    }
    u8x64 all{};
#pragma GCC unroll 5
    for (unsigned i = 0; i < Count; ++i) {
      of[i].keep = bytes_of_tokens(length_bytes, 8 * i);
      of[i].digits = subb_masked(of[i].keep, u8x64(text[i]), all_bytes(every_byte('0')));
      all |= of[i].digits;
    }
#pragma GCC unroll 5
    for (unsigned i = 0; i < Count; ++i) wrong |= find_wrong(of[i], i + 1 < Count ? of[i + 1].keep : 0, i == 0);
    negative = any_common_bit(u64x8(all), u64x8(all_bytes(every_byte(0x80))));
  }
};
template <unsigned Count>
HEADRACE_INLINE mask64 find_plus(const token_blocks<Count>& tokens) noexcept {
  mask64 plus = 0;
  for (const digit_block& block : tokens.of) plus |= find_plus(block);
  return plus;
}

// Eight tokens of up to 20 bytes. False: some token is longer, or `to` leaves them.
template <class Values>
HEADRACE_INLINE bool convert_eight_wide(const char* base, const std::uint16_t* edges, std::size_t place,
                                        const Values& to) noexcept {
  const u64x8 pairs = load_edges(edges);
  const u64x8 ends = pairs >> 16;
  const u64x8 lengths = ends - (pairs & 0xffff);
  if (above(lengths, all_qwords(20)) != 0) return false;
  const token_blocks<3> block(base, edges, lengths);
  const u64x8 low = join(block.of[0].digits) + muludq(join(block.of[1].digits), all_qwords(100000000));
  const u64x8 high = join(block.of[2].digits);
  const u64x8 sums = low + high * 10000000000000000u;
  const auto beyond = static_cast<mask8>(above(high, all_qwords(1844)) | above(low, sums));
  return to.take(place, sums, block.negative, block.wrong, beyond, true, block);
}

// Less the eight bytes at an address, the same in each qword.
HEADRACE_INLINE u64x8 subtract_in_each(u64x8 values, const void* from) noexcept {
  HEADRACE_ASM(u64x8, "=v", "vpsubq %2%{1to8%}, %1, %0", "v"(values), "m"(*static_cast<const char(*)[8]>(from)));
}

// Where the bytes of eight tokens are. Those within 128 bytes are taken from two registers; those that are wherever
// they are, as in a column of a table, by eight loads, which take half the time of a gather (Zen 4).
struct eight_tokens {
  const char* base;
  const std::uint16_t* edges;
  u64x8 ends;
  bool is_near;

  HEADRACE_INLINE eight_tokens(const char* text, const std::uint16_t* first_edge, u64x8 all_ends) noexcept
      : base(text), edges(first_edge), ends(all_ends), is_near(first_edge[15] - first_edge[0] <= 128) {}

  // The eight bytes of each token that are `Back` bytes before its last ones.
  template <unsigned Back>
  HEADRACE_INLINE u8x64 eight_before() const noexcept {
    if (unlikely(!is_near)) {
      const char* const text = base - 16;
      const std::uint16_t* const pairs = edges;
      const halves last = load_halves([=](int i) { return text + pairs[2 * i + 1]; });
      return u8x64(Back == 0 ? last.second : last.first);
    }
    const char* const from = base + edges[0];
    const u64x8 distances = subtract_in_each(ends, edges);  // from the first token's begin: the low bytes
    const u8x64 index = spread_low_byte(distances) + all_bytes(0xfffefdfcfbfaf9f8 - every_byte(Back));
    return permi2b(index, load<u8x64>(from), load<u8x64>(from + 64));
  }
};

// Eight tokens in a row, of up to 16 bytes:
//     text     |  42 -7 ..|            128 bytes from the first token's begin, in two registers
//     1. right-align each token in a qword    ......42 ......-7
//     2. subtract '0', zero what is before the token
//     3. check, join the digits; `to` negates and stores
// False: some token is longer, or `to` leaves them.
template <class Values>
HEADRACE_INLINE bool convert_eight(const char* base, const std::uint16_t* edges, std::size_t place,
                                   const Values& to) noexcept {
  const u64x8 pairs = load_edges(edges);
  const u64x8 ends = pairs >> 16;
  const eight_tokens tokens(base, edges, ends);
  if (unlikely(!tokens.is_near) && above(ends - (pairs & 0xffff), all_qwords(16)) != 0) return false;
  const u8x64 text = tokens.eight_before<0>();
  const u8x64 length_bytes = spread_low_byte(ends - pairs);  // none is above 128, and low bytes are enough
  digit_block block;
  block.keep = bytes_of_tokens(length_bytes, 0);
  block.digits = subb_masked(block.keep, text, all_bytes(every_byte('0')));
  if (above(length_bytes, all_bytes(every_byte(8))) == 0) {
    const mask64 wrong = find_wrong(block, 0, true);
    const mask8 negative = any_common_bit(u64x8(block.digits), u64x8(all_bytes(every_byte(0x80))));
    return to.take(place, join(block.digits), negative, wrong, 0, false, block);
  }

  if (above(length_bytes, all_bytes(every_byte(16))) != 0) return false;
  digit_block left;
  left.keep = bytes_of_tokens(length_bytes, 8);
  left.digits = subb_masked(left.keep, tokens.eight_before<8>(), all_bytes(every_byte('0')));
  const mask64 wrong = find_wrong(block, left.keep, true) | find_wrong(left, 0, false);
  const mask8 negative = any_common_bit(u64x8(block.digits | left.digits), u64x8(all_bytes(every_byte(0x80))));
  const u64x8 sums = join(block.digits) + muludq(join(left.digits), all_qwords(100000000));
  return to.take(place, sums, negative, wrong, 0, Values::width == 4, block, left);
}

// Whether eight tokens, one after the other, are as long as the last one, but for their signs, and it is short.
HEADRACE_INLINE bool are_alike_and_short(const std::uint16_t* edges) noexcept {
  const unsigned last = unsigned(edges[15]) - edges[14], all = unsigned(edges[15]) - edges[0];
  return last <= 16 && 8 * last + 15 - all <= 16;
}

// From token `done` on, as many as go eight at a time; of longer ones, until the next group seems to begin a run of
// short ones: with mixed lengths this would go to and fro. A function of its own, without calls, so that its constants
// stay in registers.
template <unsigned Width, bool Wide>
__attribute__((noinline)) std::size_t convert_groups(const char* base, const std::uint16_t* edges, std::size_t done,
                                                     std::size_t count, char* out, integer_range range,
                                                     refusals* refused) noexcept {
  const eight_values<Width> to{out, range, refused};
  for (; count - done >= 8; done += 8) {
    if constexpr (Wide) {
      if (!convert_eight_wide(base, edges + 2 * done, done, to)) break;
      if (count - done >= 16 && are_alike_and_short(edges + 2 * (done + 8))) return done + 8;
    } else if (!convert_eight(base, edges + 2 * done, done, to)) {
      break;
    }
  }
  return done;
}

// Whether one of eight tokens is longer than sixteen bytes.
__attribute__((noinline)) inline bool has_longer(const std::uint16_t* edges) noexcept {
  const u64x8 pairs = load_edges(edges);
  return above((pairs >> 16) - (pairs & 0xffff), all_qwords(16)) != 0;
}

// Eight tokens or more, of which the next ones are longer than sixteen bytes, or wrong.
template <unsigned Width>
__attribute__((noinline)) std::size_t convert_unusual(const char* base, const std::uint16_t* edges, std::size_t done,
                                                      std::size_t count, char* out, integer_range range,
                                                      refusals* refused) noexcept {
  const bool is_longer = Width == 8 && has_longer(edges + 2 * done);  // 32 bits hold none, but for leading zeros
  const std::size_t next =
      is_longer ? convert_groups<Width, true>(base, edges, done, count, out, range, refused) : done;
  return next != done ? next : scalar::convert_integers<Width>(base, edges, done, done + 8, out, range, refused);
}

// Stage 2.
template <unsigned Width>
std::size_t convert_integers(const char* base, const std::uint16_t* edges, std::size_t done, std::size_t count,
                             char* out, integer_range range, refusals* refused) noexcept {
  for (;;) {
    done = convert_groups<Width, false>(base, edges, done, count, out, range, refused);
    if (count - done < 8) break;
    const std::size_t before = done;
    done = convert_unusual<Width>(base, edges, done, count, out, range, refused);
    if (done == before || (done - before) % 8 != 0) return done;  // before one that is refused
  }
  // the last few once more with those before them, which give what they gave
  if (done >= 8 && done != count && (refused == nullptr || !refused->has_from(count - 8)) &&
      convert_groups<Width, false>(base, edges, count - 8, count, out, range, nullptr) == count) {
    return count;
  }
  return scalar::convert_integers<Width>(base, edges, done, count, out, range, refused);
}

#include "avx512_format.hpp"
#include "avx512_format_float.hpp"
#include "avx512_parse_float.hpp"

// ---- integers of 128 bits ----

#if defined(__SIZEOF_INT128__)

// A power of ten in three parts of 52 bits, the lowest first.
struct parted_power {
  std::uint64_t parts[3];
  constexpr explicit parted_power(unsigned exponent) noexcept : parts() {
    uint128 power = 1;
    while (exponent-- != 0) power *= 10;
    for (unsigned i = 0; i < 3; ++i) parts[i] = static_cast<std::uint64_t>(power >> 52 * i) & ~std::uint64_t(0) >> 12;
  }
};

// Up to forty digits each, eight to a block, the last ones first; `beyond`: which have more than 128 bits.
//     e4 * 10^32 + e3 * 10^24 + e2 * 10^16 + e1 * 10^8 + e0     in parts of 52 bits, each in 64
template <unsigned Count>
HEADRACE_INLINE wide_integers join_blocks(const token_blocks<Count>& tokens, mask8& beyond) noexcept {
  static constexpr parted_power powers[] = {parted_power(16), parted_power(24), parted_power(32)};
  u64x8 parts[4] = {join(tokens.of[0].digits) + muludq(join(tokens.of[1].digits), all_qwords(100000000))};
#pragma GCC unroll 3
  for (unsigned i = 2; i < Count; ++i) {
    const u64x8 eight = join(tokens.of[i].digits);
#pragma GCC unroll 3
    for (unsigned k = 0; k < 3; ++k) {
      parts[k] = add_lower_52(parts[k], eight, all_qwords(powers[i - 2].parts[k]));
      parts[k + 1] = add_upper_52(parts[k + 1], eight, all_qwords(powers[i - 2].parts[k]));
    }
  }
  const u64x8 part = all_qwords(~std::uint64_t(0) >> 12);
  parts[1] += parts[0] >> 52;
  parts[2] += parts[1] >> 52;
  beyond = above(parts[2], part >> 28);
  return {(parts[0] & part) | parts[1] << 52, (parts[1] & part) >> 12 | parts[2] << 40};
}

// Stores eight integers, if each token is one, as eight_values does.
template <class Wide>
struct eight_wide_integers {
  static constexpr unsigned width = 16;
  char* out;
  refusals* refused;

  // Takes tokens of up to sixteen digits.
  template <class... Blocks>
  HEADRACE_INLINE bool take(std::size_t place, u64x8 sums, mask8 negative, mask64 wrong, mask8, bool,
                            const Blocks&... blocks) const noexcept {
    return take_wide(place, {sums, u64x8{}}, negative, wrong, 0, blocks...);
  }
  template <unsigned Count>
  HEADRACE_INLINE bool take_blocks(std::size_t place, const token_blocks<Count>& tokens) const noexcept {
    mask8 beyond;
    const wide_integers sums = join_blocks(tokens, beyond);
    return take_wide(place, sums, tokens.negative, tokens.wrong, beyond, tokens);
  }

 private:
  template <class... Blocks>
  HEADRACE_INLINE bool take_wide(std::size_t place, wide_integers sums, mask8 negative, mask64 wrong, mask8 beyond,
                                 const Blocks&... blocks) const noexcept {
    unsigned rare = beyond;
    rare |= is_signed_integer<Wide> ? any_common_bit(sums.high, all_qwords(std::uint64_t{1} << 63)) : negative;
    if (unlikely((wrong | rare) != 0) && !note_refused(place, wrong, rare, refused, blocks...)) return false;
    const wide_integers values = negate_wide(sums, negative);
    char* const to = out + 16 * place;
    store(to, permi2q(u64x8{0, 8, 1, 9, 2, 10, 3, 11}, values.low, values.high));
    store(to + 64, permi2q(u64x8{4, 12, 5, 13, 6, 14, 7, 15}, values.low, values.high));
    return true;
  }
};

// From token `done` on, as many as go eight at a time.
template <class Wide>
__attribute__((noinline)) std::size_t convert_wide_groups(const char* base, const std::uint16_t* edges,
                                                          std::size_t done, std::size_t count, char* out,
                                                          refusals* refused) noexcept {
  const eight_wide_integers<Wide> to{out, refused};
  for (; count - done >= 8; done += 8) {
    const std::uint16_t* const group = edges + 2 * done;
    const u64x8 pairs = load_edges(group), lengths = (pairs >> 16) - (pairs & 0xffff);
    bool is_taken;
    if (above(lengths, all_qwords(16)) == 0) {
      is_taken = convert_eight(base, group, done, to);
    } else if (above(lengths, all_qwords(24)) == 0) {
      is_taken = to.take_blocks(done, token_blocks<3>(base, group, lengths));
    } else {
      is_taken = above(lengths, all_qwords(40)) == 0 && to.take_blocks(done, token_blocks<5>(base, group, lengths));
    }
    if (unlikely(!is_taken)) break;
  }
  return done;
}

template <class Wide>
std::size_t convert_wide(const char* base, const std::uint16_t* edges, std::size_t done, std::size_t count, char* out,
                         refusals* refused) noexcept {
  for (;;) {
    done = convert_wide_groups<Wide>(base, edges, done, count, out, refused);
    const std::size_t end = count - done < 8 ? count : done + 8;
    done = scalar::convert_others<Wide>(base, edges, done, end, out, refused);
    if (done != end || done == count) return done;
  }
}

#endif

struct kernel : scalar::two_stages {
  static constexpr const char* name = "avx512";
  static constexpr unsigned needs = avx512_vbmi2;
  static constexpr auto index_tokens = avx512::index_tokens;
  static constexpr auto index_newlines = avx512::index_newlines;
  template <unsigned Width>
  static constexpr auto convert_integers = avx512::convert_integers<Width>;
  template <class Float>
  static constexpr auto convert_floats = avx512::convert_floats<Float>;
#if defined(__SIZEOF_INT128__)
  template <class Wide>
  static constexpr auto convert_wide = avx512::convert_wide<Wide>;
#endif
  template <class Integer>
  static constexpr auto write_integers = choose_writer<Integer>();
  template <class Float>
  static constexpr auto write_floats = avx512::write_floats<Float>;
};

}  // namespace avx512
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

HEADRACE_TARGET_END
#endif
