// headrace/detail/simd/dispatch.hpp: which instruction set the kernels use. Picked at the first question, for the whole
// process: the best that the processor and the system support, or the one that the environment variable
// HEADRACE_SIMD=scalar|sse41|avx2|avx512|neon names (read once). A kernel that this machine cannot run, or a name
// that is not in the list, means the best one it can.
#pragma once

#include <cstdlib>
#include <cstring>

#include "../../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

enum class kernel : unsigned char {
  scalar,
  sse41,   // SSE4.1 and POPCNT
  avx2,    // AVX2, BMI1 and BMI2
  avx512,  // AVX2 and AVX-512 F, BW, VL, VBMI and VBMI2
  neon
};

// One bit each: the kernels whose headers are here. `headrace bundle --kernels` leaves out others; what would run them
// then runs the next best.
constexpr unsigned kernels_here = 1u << static_cast<int>(kernel::scalar)
#if __has_include("sse41.hpp")
                                  | 1u << static_cast<int>(kernel::sse41)
#endif
#if __has_include("avx2.hpp")
                                  | 1u << static_cast<int>(kernel::avx2)
#endif
#if __has_include("avx512.hpp")
                                  | 1u << static_cast<int>(kernel::avx512)
#endif
#if __has_include("neon.hpp")
                                  | 1u << static_cast<int>(kernel::neon)
#endif
    ;

// Costs one load after the first call. Never fails.
kernel chosen_kernel() noexcept;

// ---------------------------------------------------------------------------------------------------------------

#if HEADRACE_X86

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

// Bits of CPUID as in the Intel manual, volume 2A, tables 3-10 and 3-11.
inline bool machine_runs(kernel choice) noexcept {
  const auto has = [](unsigned bits, unsigned wanted) { return (bits & wanted) == wanted; };
  const cpuid_registers basic = cpuid(1);
  constexpr unsigned sse41_popcnt = 1u << 19 | 1u << 23, osxsave_avx = 1u << 27 | 1u << 28;
  if (choice == kernel::scalar) return true;
  if (choice == kernel::neon || !has(basic.c, sse41_popcnt)) return false;
  if (choice == kernel::sse41) return true;
  if (!has(basic.c, osxsave_avx) || !has(saved_state(), 6) || cpuid(0).a < 7) return false;
  const cpuid_registers extended = cpuid(7);
  constexpr unsigned bmi_avx2_bmi2 = 1u << 3 | 1u << 5 | 1u << 8, avx512_f_bw_vl = 1u << 16 | 1u << 30 | 1u << 31;
  constexpr unsigned vbmi_vbmi2 = 1u << 1 | 1u << 6;
  if (!has(extended.b, bmi_avx2_bmi2)) return false;
  return choice == kernel::avx2 ||
         (has(saved_state(), 0xe6) && has(extended.b, avx512_f_bw_vl) && has(extended.c, vbmi_vbmi2));
}

#else

inline bool machine_runs(kernel choice) noexcept {
  return choice == kernel::scalar || (HEADRACE_NEON && choice == kernel::neon);
}

#endif

inline bool is_usable(kernel choice) noexcept {
  return (kernels_here >> static_cast<int>(choice) & 1) != 0 && machine_runs(choice);
}

HEADRACE_COLD inline kernel choose_kernel() noexcept {
  constexpr const char* names[] = {"scalar", "sse41", "avx2", "avx512", "neon"};
  constexpr kernel from_best[] = {kernel::neon, kernel::avx512, kernel::avx2, kernel::sse41, kernel::scalar};
  const char* wanted = std::getenv("HEADRACE_SIMD");
  for (kernel choice : from_best) {
    if (wanted != nullptr && std::strcmp(wanted, names[static_cast<int>(choice)]) == 0 && is_usable(choice)) {
      return choice;
    }
  }
  for (kernel choice : from_best) {
    if (is_usable(choice)) return choice;
  }
  return kernel::scalar;
}

// The choice plus one; 0 until it is made. Threads that race for it store the same value.
inline unsigned char chosen_kernel_code = 0;

inline kernel chosen_kernel() noexcept {
  unsigned char code = __atomic_load_n(&chosen_kernel_code, __ATOMIC_RELAXED);
  if (unlikely(code == 0)) {
    code = static_cast<unsigned char>(static_cast<unsigned char>(choose_kernel()) + 1);
    __atomic_store_n(&chosen_kernel_code, code, __ATOMIC_RELAXED);
  }
  return static_cast<kernel>(code - 1);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
