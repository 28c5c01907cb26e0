// headrace/bench/keep.hpp: values and memory that the compiler must believe are used. Not for users.
#pragma once

#include "../bench.hpp"

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {

namespace detail::timing {

template <class T>
constexpr bool fits_register() {
  if constexpr (std::is_arithmetic_v<T> || std::is_pointer_v<T> || std::is_enum_v<T>) return sizeof(T) <= sizeof(void*);
  else return false;
}

// A float has registers of its own: to move it to another and back would double the time of a chain of products.
template <class T>
constexpr bool is_float = std::is_same_v<T, float> || std::is_same_v<T, double>;
#if defined(__SSE2__)
#define HEADRACE_BENCH_FLOAT "x"
#elif defined(__aarch64__)
#define HEADRACE_BENCH_FLOAT "w"
#else
#define HEADRACE_BENCH_FLOAT "r"
#endif

}  // namespace detail::timing

template <class T>
[[gnu::always_inline]] inline void keep(T&& value) noexcept {
  using plain = std::remove_reference_t<T>;
  constexpr bool is_fixed = std::is_const_v<plain> || !std::is_lvalue_reference_v<T>;
  if constexpr (!detail::timing::fits_register<std::remove_cv_t<plain>>())
    asm volatile("" : : "r"(__builtin_addressof(value)) : "memory");
  else if constexpr (detail::timing::is_float<std::remove_cv_t<plain>>) {
    if constexpr (is_fixed) asm volatile("" : : HEADRACE_BENCH_FLOAT(value) : "memory");
    else asm volatile("" : "+" HEADRACE_BENCH_FLOAT(value) : : "memory");
  } else if constexpr (is_fixed) asm volatile("" : : "r"(value) : "memory");
  else asm volatile("" : "+r"(value) : : "memory");
}

#undef HEADRACE_BENCH_FLOAT

[[gnu::always_inline]] inline void clobber() noexcept { asm volatile("" : : : "memory"); }
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
