// headrace/detail/given_end.hpp: what a caller may not name an end by: half a path, and what is no descriptor. Not for
// users.
#pragma once

#include <cerrno>
#include <cstring>
#include <type_traits>

#include "../error.hpp"
#include "../types.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// The path of a string. One with a NUL in it would open what the text before the NUL names.
constexpr const char* open_cut_path = "open a path with a NUL in it";
template <class Text>
HEADRACE_INLINE const char* source_path(const Text& path) {
  if (std::strlen(path.c_str()) != path.size()) raise_input_system_error(quoted(path), open_cut_path, EINVAL);
  return path.c_str();
}
template <class Text>
HEADRACE_INLINE const char* sink_path(const Text& path) {
  if (std::strlen(path.c_str()) != path.size()) raise_output_error(quoted(path), open_cut_path, EINVAL, 0);
  return path.c_str();
}

// What the language would turn into an int, and nobody has a descriptor in: bool, characters, floating point.
template <class T>
constexpr bool is_no_descriptor = std::is_floating_point_v<T> || (std::is_integral_v<T> && sizeof(T) == 1) ||
                                  is_one_of<T, wchar_t, char16_t, char32_t>;
template <class T>
constexpr int refuse_descriptor() noexcept {
  static_assert(sizeof(T) == 0, "a descriptor is an int: a bool, a character or a floating-point number is none");
  return -1;
}
template <class T>
using if_no_descriptor = std::enable_if_t<is_no_descriptor<T>>;

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
