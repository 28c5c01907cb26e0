// headrace/detail/baseline_end.hpp: the end of what baseline_begin.hpp began.

#if defined(__x86_64__) && !defined(HEADRACE_SMALL) && \
    (defined(__SSE3__) || defined(__BMI__) || defined(__LZCNT__) || defined(__POPCNT__) || defined(__MOVBE__))
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
