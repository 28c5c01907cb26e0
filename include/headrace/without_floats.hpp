// headrace/without_floats.hpp: stands in for parse_float.hpp and format_float.hpp in a file that was made with
// `headrace bundle --without floats`, and is not used elsewhere. A use of floating point then stops the compiler.
#pragma once

#include "format.hpp"
#include "parse.hpp"

namespace headrace {

enum class float_style : unsigned char { fixed, scientific };

template <class Float>
struct styled_float {
  Float value;
  float_style style;
  int precision;
};

template <class Float>
constexpr styled_float<Float> fixed(Float value, int precision) noexcept {
  static_assert(sizeof(Float) == 0, "this file was bundled with --without floats and has no headrace::fixed");
  return {value, float_style::fixed, precision};
}
template <class Float>
constexpr styled_float<Float> scientific(Float value, int precision) noexcept {
  static_assert(sizeof(Float) == 0, "this file was bundled with --without floats and has no headrace::scientific");
  return {value, float_style::scientific, precision};
}
template <class Float>
format_result format(char* first, char*, Float, float_style, int) noexcept {
  return {first, std::errc::invalid_argument};
}

template <class Float, std::enable_if_t<detail::is_float<Float>, int> = 0>
parse_result parse(const char* first, const char*, Float&) noexcept {
  static_assert(sizeof(Float) == 0, "this file was bundled with --without floats and cannot read them");
  return {first, std::errc::invalid_argument};
}

namespace detail {

template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
bool parse_short_token(const char* first, const char* last, Float& value) noexcept {
  return parse(first, last, value).ec == std::errc{};
}
template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
std::errc parse_token_in_buffer(const char* first, const char* last, Float& value) noexcept {
  return parse(first, last, value).ec;
}

constexpr std::size_t float_room = 64;
template <class Float>
constexpr int bits_of = 0;

template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
char* write_short(char* to, Float) noexcept {
  static_assert(sizeof(Float) == 0, "this file was bundled with --without floats and cannot write them");
  return to;
}

}  // namespace detail
}  // namespace headrace
