// headrace/detail/number_traits.hpp: which types are numbers, and std::errc. Not for users: ../types.hpp is. It needs
// neither <string> nor <system_error>, so that whoever only parses, formats or replaces scanf() compiles fast.
#pragma once

#include <cstdint>
#include <type_traits>
#if __has_include(<bits/error_constants.h>)
#include <bits/error_constants.h>  // of libstdc++: std::errc alone, which costs a tenth of <type_traits> to compile
#else
#include <charconv>  // std::errc
#endif

#include "../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

#if defined(__SIZEOF_INT128__)
__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;
#endif

namespace detail {

template <class T>
constexpr bool is_integer = is_one_of<T, signed char, unsigned char, short, unsigned short, int, unsigned, long,
                                      unsigned long, long long, unsigned long long
#if defined(__SIZEOF_INT128__)
                                      ,
                                      int128, uint128
#endif
                                      >;

template <class T>
constexpr bool is_wide_integer = is_integer<T> && sizeof(T) == 16;

template <class T>
constexpr bool is_float = is_one_of<T, float, double, long double>;

// True for signed integers, __int128 included (std::is_signed denies it in strict mode).
template <class T, bool = is_integer<T>>
constexpr bool is_signed_integer = false;
template <class T>
constexpr bool is_signed_integer<T, true> = T(-1) < T(1);

// The unsigned type in which the digits of a T are gathered: 64 bits, or 128 for the widest.
#if defined(__SIZEOF_INT128__)
template <class T>
using magnitude_t = std::conditional_t<is_wide_integer<T>, uint128, std::uint64_t>;
#else
template <class T>
using magnitude_t = std::uint64_t;
#endif

template <class T>
constexpr T max_value =
    static_cast<T>(is_signed_integer<T> ? (magnitude_t<T>(1) << (sizeof(T) * 8 - 1)) - 1 : ~magnitude_t<T>(0));

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
