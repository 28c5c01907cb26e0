// headrace/detail/bench/keep.hpp: values and memory that the compiler must believe are used. Not for users.
#pragma once

#include "../../bench.hpp"

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {

namespace detail::timing {

template <class T>
constexpr bool fits_register() {
  if constexpr (std::is_arithmetic_v<T> || std::is_pointer_v<T> || std::is_enum_v<T>) return sizeof(T) <= sizeof(void*);
  else return false;
}

}  // namespace detail::timing

template <class T>
[[gnu::always_inline]] inline void keep(T&& value) noexcept {
  using plain = std::remove_reference_t<T>;
  if constexpr (!detail::timing::fits_register<std::remove_cv_t<plain>>())
    asm volatile("" : : "r"(__builtin_addressof(value)) : "memory");
  else if constexpr (std::is_const_v<plain> || !std::is_lvalue_reference_v<T>)
    asm volatile("" : : "r"(value) : "memory");
  else asm volatile("" : "+r"(value) : : "memory");
}

[[gnu::always_inline]] inline void clobber() noexcept { asm volatile("" : : : "memory"); }
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
