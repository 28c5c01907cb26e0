// headrace/detail/simd/target.hpp: the functions between HEADRACE_TARGET_BEGIN(features) and HEADRACE_TARGET_END may
// use the instructions of those features, whatever the flags of the user's build are. kernels.hpp takes both names
// back, and index_fields.hpp includes this file again: so it has no include guard.

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
#endif
