// headrace/detail/baseline_begin.hpp: what follows, up to baseline_end.hpp, is compiled for every x86-64 processor,
// whatever the flags of the user's build are. A program may compile one file for AVX and another one not; the linker
// then keeps one of the two bodies of a function, and both files call it. Included many times: no include guard. Such
// functions call nothing of the standard library that is inlined by force, as a fortified memcpy() is.

#if defined(__x86_64__) && !defined(HEADRACE_SMALL) && \
    (defined(__SSE3__) || defined(__BMI__) || defined(__LZCNT__) || defined(__POPCNT__) || defined(__MOVBE__))
#if defined(__clang__) && defined(__EVEX512__)  // which clang counts apart from AVX
#pragma clang attribute push(                                                                        \
    __attribute__((target("no-evex512,no-sse3,no-avx,no-bmi,no-bmi2,no-lzcnt,no-popcnt,no-movbe"))), \
    apply_to = function)
#elif defined(__clang__)
#pragma clang attribute push(__attribute__((target("no-sse3,no-avx,no-bmi,no-bmi2,no-lzcnt,no-popcnt,no-movbe"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("no-sse3,no-avx,no-bmi,no-bmi2,no-lzcnt,no-popcnt,no-movbe")
#endif
#endif
