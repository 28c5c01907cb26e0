// headrace/detail/without_parse_float.hpp: used instead of parse_float.hpp in a file that was made with
// `headrace bundle --without floats`, and is not used elsewhere. Reading floating point then stops the compiler.
#pragma once

#include "../parse.hpp"

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

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
