// To read floating point stops the compiler.
#pragma once

#include <headrace/parse.hpp>

namespace headrace {
inline namespace HEADRACE_ABI {

template <class Float, std::enable_if_t<detail::is_float<Float>, int>>
parse_result parse(const char* first, const char*, Float&) noexcept {
  static_assert(sizeof(Float) == 0, "this file was bundled with --without floats and cannot read them");
  return {first, std::errc::invalid_argument};
}

namespace detail {

template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
bool parse_token_in_turn(const char* first, const char* last, Float& value) noexcept {
  return parse(first, last, value).ec == std::errc{};
}
template <class Float, std::enable_if_t<is_float<Float>, int> = 0>
std::errc parse_token_in_buffer(const char* first, const char* last, Float& value) noexcept {
  return parse(first, last, value).ec;
}
template <class Float>
std::size_t scan_float_tokens(const char*, std::size_t, std::uint16_t*, char*, std::size_t) noexcept {
  return 0;
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
