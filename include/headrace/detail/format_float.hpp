// headrace/detail/format_float.hpp: what a writer asks of floating point -> text. Not for users: ../format.hpp says
// what is written.
//
// The fast path multiplies once by a power of ten of 128 bits and decides between the candidates on a fraction of
// 64 bits, as the "yy", "zmij" and "xjb" algorithms do (Yaoyuan Guo, 2020-2025; Victor Zverovich, 2025; Xiang JunBo,
// 2025), without branches on the digits. Where 64 bits are too close to call, and at powers of two, it is Schubfach
// (Raffaello Giulietti, "The Schubfach way to render doubles", 2020). long double, and digits asked for by number, go
// through big integers where need be (Robert Burger, Kent Dybvig, "Printing floating-point numbers quickly and
// accurately", 1996).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../config.hpp"
#include "../format.hpp"

HEADRACE_BASELINE_BEGIN
namespace headrace {
inline namespace HEADRACE_ABI {

namespace detail {

// What the fast paths touch, measured from where the text begins.
constexpr std::size_t float_room = 64;

// Bits for the big integers of a Float: enough for its largest and its smallest value, and a few more.
template <class Float>
constexpr int bits_of = sizeof(Float) <= 8 ? 1216 : 16704;

// Room needed: float_room.
template <class Float>
char* write_float(char* to, Float number) noexcept;

// A template, so that only a program that writes floating point compiles any of it.
template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
HEADRACE_INLINE char* write_short(char* to, Float value) noexcept {
  if constexpr (__LDBL_MANT_DIG__ == 53 && sizeof(Float) == sizeof(double)) {
    return write_float(to, static_cast<double>(value));  // long double is double
  } else {
    return write_float(to, value);
  }
}

}  // namespace detail

}  // namespace HEADRACE_ABI
}  // namespace headrace
HEADRACE_BASELINE_END

#if HEADRACE_COMPILED != 1
#include "format_float_impl.hpp"
#endif
