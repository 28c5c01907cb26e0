// headrace/replace/usual.hpp: numbers that every standard library reads alike, and the form of a float that a
// stream's flags ask for. Not for users.
#pragma once

#include <cstddef>
#include <ios>
#include <limits>
#include <type_traits>

#include "../config.hpp"
#include "../parse.hpp"
#include "../detail/read_digits.hpp"
#include "general_float.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// Longer numbers are left to the standard library: libc++ cuts them at forty characters.
constexpr std::ptrdiff_t longest_number = 32;

HEADRACE_INLINE const char* skip_whitespace(const char* at, const char* end) {
  while (at != end && is_whitespace(*at)) ++at;
  return at;
}

template <class T>
constexpr bool is_short_or_longer =
    is_one_of<T, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long>;

// Reads an integer of few characters after whitespace, in range: returns where it ends, or nullptr with `value` as it
// was. A number that ends with the text counts only where `is_all` says that no more can follow.
template <class Integer>
HEADRACE_INLINE const char* read_usual_integer(const char* at, const char* end, bool is_all, Integer& value) {
  at = skip_whitespace(at, end);
  Integer number;
  const parse_result found = parse(at, end, number);
  if (unlikely(found.ec != std::errc{} || found.ptr - at >= longest_number)) return nullptr;
  if (unlikely(found.ptr == end && !is_all)) return nullptr;
  value = number;
  return found.ptr;
}

// Subnormal numbers are an error to libc++.
template <class Float>
bool is_usual(Float number) {
  return number == 0 || (number < 0 ? -number : number) >= std::numeric_limits<Float>::min();
}

// The same for a float: digits with at most one point, and an exponent, with whitespace after it; nothing that begins
// with a letter, which the libraries read apart.
template <class Float>
const char* read_usual_float(const char* at, const char* end, bool is_all, Float& value) {
  at = skip_whitespace(at, end);
  const char* const digits = at + (at != end && *at == '-');
  if (digits == end || (!is_digit(*digits) && *digits != '.')) return nullptr;
  Float number;
  const parse_result found = parse(at, end, number);
  if (unlikely(found.ec != std::errc{} || found.ptr - at >= longest_number || !is_usual(number))) return nullptr;
  if (unlikely(found.ptr == end ? !is_all : !is_whitespace(*found.ptr))) return nullptr;
  value = number;
  return found.ptr;
}

// The form that a stream's flags ask for. False for hexfloat.
inline bool form_of(std::ios_base::fmtflags flags, float_form& form) {
  const auto style = flags & std::ios_base::floatfield;
  form = style == std::ios_base::fixed        ? float_form::fixed
         : style == std::ios_base::scientific ? float_form::scientific
                                              : float_form::general;
  return style != std::ios_base::floatfield;
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
