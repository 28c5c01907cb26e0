// headrace/detail/simd/kernels.hpp: the table of kernels, and which of them is chosen. Whatever names one (the choice
// at run time, HEADRACE_SIMD, the tests, the fuzzers, `make bench`, `headrace bundle`) takes it from here.
//
// A kernel is a namespace with a struct `kernel` (scalar.hpp shows one); one that this processor does not have, or that
// `headrace bundle --kernels` left out, is none. A new one is its file, an #include and a row here, and, where it has
// primitives, a line in tests/primitives_test.cpp.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

// clang-format off
// The best one first. Of those that it may choose from, a machine takes the first that it runs.
#define HEADRACE_KERNELS(row) \
    row(avx512) \
    row(avx2) \
    row(sse41) \
    row(neon) \
    row(scalar) \
    row(model)
// clang-format on

#include "scalar.hpp"
#include "target.hpp"  // here, so that a bundle has it once for all of these
#include "sse41.hpp"
#include "avx2.hpp"
#include "avx512.hpp"
#include "neon.hpp"
#if HEADRACE_MODEL
#include "model.hpp"
#endif

#if defined(HEADRACE_TARGET_BEGIN)
#include "end_of_target.hpp"
#endif

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

#define HEADRACE_ROW(name) \
  namespace name {         \
  struct kernel;           \
  }
HEADRACE_KERNELS(HEADRACE_ROW)
#undef HEADRACE_ROW

// A column of the table: the same part of every kernel, null where a kernel is not here. A program compiles only the
// columns that it uses.
template <class Part, class Kernel, class = void>
constexpr typename Part::type part_of{};
template <class Part, class Kernel>
constexpr typename Part::type part_of<Part, Kernel, std::enable_if_t<sizeof(Kernel) != 0>> = Part::template of<Kernel>;
#define HEADRACE_ROW(name) part_of<Part, name::kernel>,
template <class Part>
inline constexpr typename Part::type kernel_table[] = {HEADRACE_KERNELS(HEADRACE_ROW)};
#undef HEADRACE_ROW
#undef HEADRACE_KERNELS

struct kernel_name {
  using type = const char*;
  template <class Kernel>
  static constexpr type of = Kernel::name;
};
// All bits but those that it needs of processor_features(); none where it is not here.
struct kernel_spares {
  using type = unsigned;
  template <class Kernel>
  static constexpr type of = ~Kernel::needs;
};
struct token_indexer {
  using type = std::size_t (*)(const char*, std::size_t, std::uint16_t*) noexcept;
  template <class Kernel>
  static constexpr type of = Kernel::index_tokens;
};
struct newline_indexer {
  using type = token_indexer::type;
  template <class Kernel>
  static constexpr type of = Kernel::index_newlines;
};
template <unsigned Width>
struct integer_converter {
  using type = std::size_t (*)(const char*, const std::uint16_t*, std::size_t, std::size_t, char*, integer_range,
                               refusals*) noexcept;
  template <class Kernel>
  static constexpr type of = Kernel::template convert_integers<Width>;
};
template <class Float>
struct float_converter {
  using type = std::size_t (*)(const char*, const std::uint16_t*, std::size_t, char*, refusals*) noexcept;
  template <class Kernel>
  static constexpr type of = Kernel::template convert_floats<Float>;
};
#if defined(__SIZEOF_INT128__)
template <class Wide>
struct wide_converter {
  using type = std::size_t (*)(const char*, const std::uint16_t*, std::size_t, std::size_t, char*, refusals*) noexcept;
  template <class Kernel>
  static constexpr type of = Kernel::template convert_wide<Wide>;
};
#endif
template <unsigned Width>
struct integer_scanner {
  using type = scalar::scan_function;
  template <class Kernel>
  static constexpr type of = Kernel::template scan_integers<Width>;
};
template <class Integer>
struct integer_writer {
  using type = char* (*)(char*, const Integer*, std::size_t, char) noexcept;
  template <class Kernel>
  static constexpr type of = Kernel::template write_integers<Integer>;
};
template <class Float>
struct float_writer {
  using type = char* (*)(char*, const Float*, std::size_t, char) noexcept;
  template <class Kernel>
  static constexpr type of = Kernel::template write_floats<Float>;
};

inline constexpr unsigned kernel_count = sizeof kernel_table<kernel_name> / sizeof *kernel_table<kernel_name>;

// ---- what the processor and the system support ----

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

// ---- which kernel answers, as dispatch.hpp says ----

HEADRACE_INLINE bool is_usable(unsigned kernel, unsigned features) noexcept {
  return (kernel_table<kernel_spares>[kernel] | features) == ~0u;
}

// A wish that cannot be granted is a sentence on stderr, and the best kernel.
HEADRACE_INLINE void refuse_kernel(const char* wanted, unsigned chosen, unsigned features) noexcept {
  std::fprintf(stderr,
               "headrace: HEADRACE_SIMD=%s is not a kernel that this machine runs; using %s. Choose one of:", wanted,
               kernel_table<kernel_name>[chosen]);
  for (unsigned i = 0; i < kernel_count; ++i) {
    if (is_usable(i, features)) std::fprintf(stderr, " %s", kernel_table<kernel_name>[i]);
  }
  std::fputc('\n', stderr);
}

HEADRACE_COLD inline unsigned choose_kernel() noexcept {
  const unsigned features = processor_features();
  unsigned best = 0;
  while (!is_usable(best, features)) ++best;  // the scalar one always is
  const char* wanted = std::getenv("HEADRACE_SIMD");
  if (wanted == nullptr || *wanted == '\0') return best;
  for (unsigned i = 0; i < kernel_count; ++i) {
    if (is_usable(i, features) && std::strcmp(wanted, kernel_table<kernel_name>[i]) == 0) return i;
  }
  refuse_kernel(wanted, best, features);
  return best;
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// The choice plus one; 0 until it is made. Threads that race for it store the same value.
inline unsigned char chosen_kernel_code = 0;

// The chosen row of the table. Costs one load after the first call.
inline unsigned chosen_kernel() noexcept {
  unsigned code = __atomic_load_n(&chosen_kernel_code, __ATOMIC_RELAXED);
  if (unlikely(code == 0)) {
    code = choose_kernel() + 1;
    __atomic_store_n(&chosen_kernel_code, static_cast<unsigned char>(code), __ATOMIC_RELAXED);
  }
  return code - 1;
}

template <class Part>
HEADRACE_INLINE typename Part::type part_of_kernel() noexcept {
  return kernel_table<Part>[chosen_kernel()];
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END
