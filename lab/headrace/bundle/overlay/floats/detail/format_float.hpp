// To write floating point stops the compiler.
#pragma once

#include <headrace/format.hpp>

namespace headrace {
inline namespace HEADRACE_ABI {

template <class Float>
format_result format(char* first, char*, Float, float_style, int) noexcept {
  static_assert(sizeof(Float) == 0, "this file was bundled with --without floats and cannot write them");
  return {first, std::errc::invalid_argument};
}

namespace detail {

constexpr std::size_t float_room = 64;
template <class Float>
constexpr int bits_of = 0;

template <class Float>
format_result format_shortest(char* first, char*, Float) noexcept {
  static_assert(sizeof(Float) == 0, "this file was bundled with --without floats and cannot write them");
  return {first, std::errc::invalid_argument};
}

template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
char* write_short(char* to, Float) noexcept {
  static_assert(sizeof(Float) == 0, "this file was bundled with --without floats and cannot write them");
  return to;
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
