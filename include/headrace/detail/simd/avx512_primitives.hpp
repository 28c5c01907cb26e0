// headrace/detail/simd/avx512_primitives.hpp: the instructions of AVX-512 that more than one part of avx512.hpp uses.
#pragma once

#include <cstdint>

#include "../../config.hpp"
#include "target.hpp"

#if defined(__x86_64__)
HEADRACE_TARGET_BEGIN("bmi,bmi2,popcnt,avx512vl,avx512dq,avx512cd,avx512ifma,avx512vbmi,avx512vbmi2,avx512vpopcntdq")

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
  Vector result;
  asm("vpermb %1, %2, %0" : "=v"(result) : "v"(table), "v"(index));
  return result;
}
HEADRACE_INLINE u8x64 permi2b(u8x64 index, u8x64 low, u8x64 high) noexcept {
  asm("vpermi2b %2, %1, %0" : "+v"(index) : "v"(low), "v"(high));
  return index;
}
HEADRACE_INLINE u64x8 permi2q(u64x8 index, u64x8 low, u64x8 high) noexcept {
  asm("vpermi2q %2, %1, %0" : "+v"(index) : "v"(low), "v"(high));
  return index;
}
HEADRACE_INLINE u8x64 shufb(u8x64 bytes, u8x64 index) noexcept {
  u8x64 result;
  asm("vpshufb %2, %1, %0" : "=v"(result) : "v"(bytes), "v"(index));
  return result;
}
HEADRACE_INLINE u8x64 compressb(mask64 mask, u8x64 bytes) noexcept {
  u8x64 result;
  asm("vpcompressb %1, %0%{%2%}%{z%}" : "=v"(result) : "v"(bytes), "Yk"(mask));
  return result;
}
HEADRACE_INLINE u16x8 compressw(mask8 mask, u16x8 words) noexcept {
  u16x8 result;
  asm("vpcompressw %1, %0%{%2%}%{z%}" : "=v"(result) : "v"(words), "Yk"(mask));
  return result;
}
HEADRACE_INLINE u8x64 subb_masked(mask64 mask, u8x64 a, u8x64 b) noexcept {
  u8x64 result;
  asm("vpsubb %2, %1, %0%{%3%}%{z%}" : "=v"(result) : "v"(a), "v"(b), "Yk"(mask));
  return result;
}
HEADRACE_INLINE mask64 different(u8x64 a, u8x64 b) noexcept {
  mask64 mask;
  asm("vpcmpneqb %2, %1, %0" : "=k"(mask) : "v"(a), "v"(b));
  return mask;
}
HEADRACE_INLINE mask64 equal(u8x64 a, u8x64 b) noexcept {
  mask64 mask;
  asm("vpcmpeqb %2, %1, %0" : "=k"(mask) : "v"(a), "v"(b));
  return mask;
}
HEADRACE_INLINE mask64 at_least(u8x64 a, u8x64 b) noexcept {
  mask64 mask;
  asm("vpcmpnltub %2, %1, %0" : "=k"(mask) : "v"(a), "v"(b));
  return mask;
}
HEADRACE_INLINE mask64 above(u8x64 a, u8x64 b) noexcept {
  mask64 mask;
  asm("vpcmpnleub %2, %1, %0" : "=k"(mask) : "v"(a), "v"(b));
  return mask;
}
HEADRACE_INLINE mask8 above(u64x8 a, u64x8 b) noexcept {
  mask8 mask;
  asm("vpcmpnleuq %2, %1, %0" : "=k"(mask) : "v"(a), "v"(b));
  return mask;
}
HEADRACE_INLINE mask8 any_common_bit(u64x8 a, u64x8 b) noexcept {
  mask8 mask;
  asm("vptestmq %2, %1, %0" : "=k"(mask) : "v"(a), "v"(b));
  return mask;
}
HEADRACE_INLINE u8x64 keep_bytes(mask64 mask, u8x64 bytes) noexcept {
  u8x64 result;
  asm("vmovdqu8 %1, %0%{%2%}%{z%}" : "=v"(result) : "v"(bytes), "Yk"(mask));
  return result;
}
HEADRACE_INLINE u64x8 keep_qwords(mask8 mask, u64x8 qwords) noexcept {
  u64x8 result;
  asm("vmovdqa64 %1, %0%{%2%}%{z%}" : "=v"(result) : "v"(qwords), "Yk"(mask));
  return result;
}
HEADRACE_INLINE u64x8 replace_qwords(u64x8 otherwise, mask8 mask, u64x8 qwords) noexcept {
  asm("vmovdqa64 %1, %0%{%2%}" : "+v"(otherwise) : "v"(qwords), "Yk"(mask));
  return otherwise;
}
HEADRACE_INLINE mask8 is_zero(u64x8 a) noexcept {
  mask8 mask;
  asm("vptestnmq %1, %1, %0" : "=k"(mask) : "v"(a));
  return mask;
}
HEADRACE_INLINE mask8 is_nonzero(u64x8 a) noexcept { return any_common_bit(a, a); }
// Halves are named by %t, for which clang 19 writes k0 where the register is zmm16: "x" is one of zmm0 to zmm15.
HEADRACE_INLINE u16x32 widen_low_half(u8x64 bytes) noexcept {
  u16x32 result;
  asm("vpmovzxbw %t1, %0" : "=v"(result) : "x"(bytes));
  return result;
}
HEADRACE_INLINE u16x32 widen_high_half(u8x64 bytes) noexcept {
  asm("vextracti64x4 $1, %0, %t0" : "+x"(bytes));
  return widen_low_half(bytes);
}
HEADRACE_INLINE u64x8 load_eight_tokens(const std::uint16_t* edges) noexcept {
  u64x8 result;
  asm("vpmovzxdq %1, %0" : "=v"(result) : "m"(*reinterpret_cast<const std::uint16_t(*)[16]>(edges)));
  return result;
}
HEADRACE_INLINE u8x64 maxsb(u8x64 a, u8x64 b) noexcept {
  asm("vpmaxsb %1, %0, %0" : "+v"(a) : "v"(b));
  return a;
}
HEADRACE_INLINE u16x32 maddubsw(u8x64 a, u8x64 weights) noexcept {
  u16x32 result;
  asm("vpmaddubsw %2, %1, %0" : "=v"(result) : "v"(a), "v"(weights));
  return result;
}
HEADRACE_INLINE u64x8 maddwd(u16x32 a, u8x64 weights) noexcept {
  u64x8 result;
  asm("vpmaddwd %2, %1, %0" : "=v"(result) : "v"(a), "v"(weights));
  return result;
}
HEADRACE_INLINE u64x8 muludq(u64x8 a, u64x8 b) noexcept {
  u64x8 result;
  asm("vpmuludq %2, %1, %0" : "=v"(result) : "v"(a), "v"(b));
  return result;
}
HEADRACE_INLINE u64x8 negate_masked(u64x8 value, mask8 mask) noexcept {
  asm("vpsubq %0, %2, %0%{%1%}" : "+v"(value) : "Yk"(mask), "v"(u64x8{}));
  return value;
}
HEADRACE_INLINE u64x8 add_masked(u64x8 value, mask8 mask, u64x8 addend) noexcept {
  asm("vpaddq %2, %0, %0%{%1%}" : "+v"(value) : "Yk"(mask), "v"(addend));
  return value;
}
HEADRACE_INLINE u64x8 unpack_low(u64x8 a, u64x8 b) noexcept {
  u64x8 result;
  asm("vpunpcklqdq %2, %1, %0" : "=v"(result) : "v"(a), "v"(b));
  return result;
}
HEADRACE_INLINE u64x8 unpack_high(u64x8 a, u64x8 b) noexcept {
  u64x8 result;
  asm("vpunpckhqdq %2, %1, %0" : "=v"(result) : "v"(a), "v"(b));
  return result;
}
// 16 bytes from each of eight addresses: the first eight bytes of each, and the second eight.
struct halves {
  u64x8 first;
  u64x8 second;
};
template <unsigned Lane>
HEADRACE_INLINE u64x8 insert_lane(u64x8 lanes, const void* from) noexcept {
  asm("vinserti64x2 %2, %1, %0, %0" : "+v"(lanes) : "m"(*static_cast<const char(*)[16]>(from)), "i"(Lane));
  return lanes;
}
HEADRACE_INLINE u64x8 load_in_each_lane(const void* from) noexcept {
  u64x8 lanes;
  asm("vbroadcasti64x2 %1, %0" : "=v"(lanes) : "m"(*static_cast<const char(*)[16]>(from)));
  return lanes;
}
template <class Address>
HEADRACE_INLINE halves load_halves(Address at) noexcept {
  const u64x8 even = insert_lane<3>(insert_lane<2>(insert_lane<1>(load_in_each_lane(at(0)), at(2)), at(4)), at(6));
  const u64x8 odd = insert_lane<3>(insert_lane<2>(insert_lane<1>(load_in_each_lane(at(1)), at(3)), at(5)), at(7));
  return {unpack_low(even, odd), unpack_high(even, odd)};
}

}  // namespace avx512
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

HEADRACE_TARGET_END
#endif
