// headrace/detail/simd/cpu.hpp: what the processor and the system support.
#pragma once

#include "../../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Features that a kernel may need and not every processor of its kind has: bits of processor_features().
inline constexpr unsigned sse41_popcnt = 1, avx2_bmi_fma = 2;
inline constexpr unsigned avx512_vbmi2 = 4;

#if defined(__x86_64__)

struct cpuid_registers {
  unsigned a, b, c, d;
};

// The instruction itself: <cpuid.h> would cost compile time, and __builtin_cpu_supports a symbol of libgcc, which zig
// does not link.
HEADRACE_INLINE cpuid_registers cpuid(unsigned leaf) noexcept {
  cpuid_registers r;
  asm volatile("cpuid" : "=a"(r.a), "=b"(r.b), "=c"(r.c), "=d"(r.d) : "a"(leaf), "c"(0));
  return r;
}

// The parts of the registers that the operating system saves: 2 XMM, 4 YMM, 0xe0 masks and ZMM.
HEADRACE_INLINE unsigned saved_state() noexcept {
  unsigned low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

HEADRACE_INLINE bool has_bits(unsigned bits, unsigned wanted) noexcept { return (bits & wanted) == wanted; }

// Bits of CPUID as in the Intel manual, volume 2A, tables 3-10 and 3-11.
//   sse41_popcnt: SSE4.1 and POPCNT
//   avx2_bmi_fma: AVX2, BMI1, BMI2, FMA and PCLMULQDQ, with registers that the system saves
//   avx512_vbmi2: AVX-512 F, DQ, IFMA, CD, BW, VL; VBMI, VBMI2, VPOPCNTDQ. Every processor that has VBMI2 has all of
//                 them; a virtual machine may hide some
HEADRACE_INLINE unsigned processor_features() noexcept {
  constexpr unsigned clmul_fma_osxsave_avx = 1u << 1 | 1u << 12 | 1u << 27 | 1u << 28;
  constexpr unsigned bmi_avx2_bmi2 = 1u << 3 | 1u << 5 | 1u << 8;
  constexpr unsigned f_dq_ifma_cd_bw_vl = 1u << 16 | 1u << 17 | 1u << 21 | 1u << 28 | 1u << 30 | 1u << 31;
  constexpr unsigned vbmi_vbmi2_vpopcntdq = 1u << 1 | 1u << 6 | 1u << 14;
  const unsigned basic = cpuid(1).c;
  if (!has_bits(basic, 1u << 19 | 1u << 23)) return 0;
  if (!has_bits(basic, clmul_fma_osxsave_avx) || cpuid(0).a < 7) return sse41_popcnt;
  const unsigned saved = saved_state();
  const auto newer = cpuid(7);
  if (!has_bits(saved, 6) || !has_bits(newer.b, bmi_avx2_bmi2)) return sse41_popcnt;
  if (has_bits(saved, 0xe6) && has_bits(newer.b, f_dq_ifma_cd_bw_vl) && has_bits(newer.c, vbmi_vbmi2_vpopcntdq)) {
    return sse41_popcnt | avx2_bmi_fma | avx512_vbmi2;
  }
  return sse41_popcnt | avx2_bmi_fma;
}

#else
constexpr unsigned processor_features() noexcept { return 0; }
#endif

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
