// headrace/simd.hpp: which instruction set the kernels use. Picked at the first question, for the whole process:
// the best that the processor and the system support, or the one that the environment variable
// HEADRACE_SIMD=scalar|sse41|avx2|avx512|neon names (read once). A kernel that this machine cannot run, or a name
// that is not in the list, means the best one it can.
#pragma once

#include <cstdlib>
#include <cstring>

#include "config.hpp"

namespace headrace::detail {

enum class kernel : unsigned char {
  scalar,
  sse41,   // SSE4.1 and POPCNT
  avx2,    // AVX2, BMI1 and BMI2
  avx512,  // AVX2 and AVX-512 F, BW, VL, VBMI and VBMI2
  neon
};

// Costs one load after the first call. Never fails.
kernel chosen_kernel() noexcept;

// ---------------------------------------------------------------------------------------------------------------

inline bool machine_runs(kernel choice) noexcept {
#if HEADRACE_X86
  __builtin_cpu_init();
  switch (choice) {
    case kernel::avx512:
      if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
          !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512vbmi") ||
          !__builtin_cpu_supports("avx512vbmi2")) {
        return false;
      }
      [[fallthrough]];
    case kernel::avx2:
      if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2")) {
        return false;
      }
      [[fallthrough]];
    case kernel::sse41:
      return __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("popcnt");
    default:
      return choice == kernel::scalar;
  }
#elif HEADRACE_NEON
  return choice == kernel::neon || choice == kernel::scalar;
#else
  return choice == kernel::scalar;
#endif
}

HEADRACE_COLD inline kernel choose_kernel() noexcept {
  constexpr const char* names[] = {"scalar", "sse41", "avx2", "avx512", "neon"};
  constexpr kernel from_best[] = {kernel::neon, kernel::avx512, kernel::avx2, kernel::sse41, kernel::scalar};
  const char* wanted = std::getenv("HEADRACE_SIMD");
  for (kernel choice : from_best) {
    if (wanted != nullptr && std::strcmp(wanted, names[static_cast<int>(choice)]) == 0 && machine_runs(choice)) {
      return choice;
    }
  }
  for (kernel choice : from_best) {
    if (machine_runs(choice)) return choice;
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

}  // namespace headrace::detail
