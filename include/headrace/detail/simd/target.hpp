// headrace/detail/simd/target.hpp: the functions between HEADRACE_TARGET_BEGIN(features) and HEADRACE_TARGET_END may
// use the instructions of those features, whatever the flags of the user's build are. kernels.hpp takes all of these
// names back, and index_fields.hpp includes this file again: so it has no include guard.

#if !defined(HEADRACE_TARGET_BEGIN)
#define HEADRACE_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define HEADRACE_TARGET_BEGIN(features) \
  HEADRACE_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define HEADRACE_TARGET_END HEADRACE_PRAGMA(clang attribute pop)
#else
#define HEADRACE_TARGET_BEGIN(features) HEADRACE_PRAGMA(GCC push_options) HEADRACE_PRAGMA(GCC target(features))
#define HEADRACE_TARGET_END HEADRACE_PRAGMA(GCC pop_options)
#endif

// The features that kernels are compiled for; processor_features() tells whether a processor has them.
#define HEADRACE_SSE41_FEATURES "sse4.1,popcnt,no-avx,no-bmi,no-bmi2,no-lzcnt,no-movbe"
#define HEADRACE_AVX2_FEATURES "avx2,bmi,bmi2,popcnt,fma,no-avx512f,no-lzcnt,no-movbe"
#define HEADRACE_AVX512_FEATURES \
  "bmi,bmi2,popcnt,avx512vl,avx512dq,avx512cd,avx512ifma,avx512vbmi,avx512vbmi2,avx512vpopcntdq"

// The body of a function of one instruction, in whose text %0 is the result. HEADRACE_ONE() and HEADRACE_TWO() name
// the instruction alone, in the order of its manual: result, a, b.
#define HEADRACE_ASM(type, result, text, ...) \
  type made;                                  \
  asm(text : result(made) : __VA_ARGS__);     \
  return made
#define HEADRACE_INTO(value, text, ...)  \
  asm(text : "+v"(value) : __VA_ARGS__); \
  return value
#define HEADRACE_ONE(type, instruction, a) HEADRACE_ASM(type, "=v", instruction " %1, %0", "v"(a))
#define HEADRACE_TWO(type, instruction, a, b) HEADRACE_ASM(type, "=v", instruction " %2, %1, %0", "v"(a), "v"(b))
#define HEADRACE_MASK(type, instruction, a, b) HEADRACE_ASM(type, "=k", instruction " %2, %1, %0", "v"(a), "v"(b))
#endif
