// headrace/detail/simd/end_of_target.hpp: takes back the names of target.hpp, whose kernels are complete.

#undef HEADRACE_PRAGMA
#undef HEADRACE_TARGET_BEGIN
#undef HEADRACE_TARGET_END
#undef HEADRACE_SSE41_FEATURES
#undef HEADRACE_AVX2_FEATURES
#undef HEADRACE_AVX512_FEATURES
#undef HEADRACE_ASM
#undef HEADRACE_INTO
#undef HEADRACE_ONE
#undef HEADRACE_TWO
#undef HEADRACE_MASK
