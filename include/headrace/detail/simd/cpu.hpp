// headrace/detail/simd/cpu.hpp: what the processor and the system support.
#pragma once

#include "../../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

#if defined(__x86_64__)

struct cpuid_registers {
  unsigned a, b, c, d;
};

// The instruction itself: <cpuid.h> would cost compile time, and __builtin_cpu_supports a symbol of libgcc, which zig
// does not link.
inline cpuid_registers cpuid(unsigned leaf) noexcept {
  cpuid_registers r;
  asm volatile("cpuid" : "=a"(r.a), "=b"(r.b), "=c"(r.c), "=d"(r.d) : "a"(leaf), "c"(0));
  return r;
}

// The parts of the registers that the operating system saves: 2 XMM, 4 YMM, 0xe0 masks and ZMM.
inline unsigned saved_state() noexcept {
  unsigned low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

inline bool has_bits(unsigned bits, unsigned wanted) noexcept { return (bits & wanted) == wanted; }

// Bits of CPUID as in the Intel manual, volume 2A, tables 3-10 and 3-11.
inline bool has_sse41_popcnt() noexcept { return has_bits(cpuid(1).c, 1u << 19 | 1u << 23); }

// AVX2, BMI1, BMI2, FMA and PCLMULQDQ, with registers that the system saves.
inline bool has_avx2_bmi_fma() noexcept {
  constexpr unsigned clmul_fma_osxsave_avx = 1u << 1 | 1u << 12 | 1u << 27 | 1u << 28;
  constexpr unsigned bmi_avx2_bmi2 = 1u << 3 | 1u << 5 | 1u << 8;
  return has_sse41_popcnt() && has_bits(cpuid(1).c, clmul_fma_osxsave_avx) && has_bits(saved_state(), 6) &&
         cpuid(0).a >= 7 && has_bits(cpuid(7).b, bmi_avx2_bmi2);
}

// The same with AVX-512 F, DQ, IFMA, CD, BW, VL; VBMI, VBMI2, VPOPCNTDQ. Every processor that has VBMI2 has all of
// them; a virtual machine may hide some.
inline bool has_avx512_vbmi2() noexcept {
  constexpr unsigned f_dq_ifma = 1u << 16 | 1u << 17 | 1u << 21, cd_bw_vl = 1u << 28 | 1u << 30 | 1u << 31;
  constexpr unsigned vbmi_vbmi2_vpopcntdq = 1u << 1 | 1u << 6 | 1u << 14;
  return has_avx2_bmi_fma() && has_bits(saved_state(), 0xe6) && has_bits(cpuid(7).b, f_dq_ifma | cd_bw_vl) &&
         has_bits(cpuid(7).c, vbmi_vbmi2_vpopcntdq);
}

#endif

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
