// headrace/replace/general_float.hpp: floating point as printf's %g, %f and %e and std::ostream write it. Not
// for users.
#pragma once

#include <cstddef>
#include <cstring>

#include "../config.hpp"
#include "../format.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

inline constexpr int most_digits = 40;  // precision that is written here
inline constexpr std::size_t longest_float = 400;
inline constexpr double smallest_short = 1e-290;  // below it, doubles lie too far apart for 15 digits to be theirs

// The significant digits of a number in text: "-0.00125" and "-1.25e-3" have 125, and the first counts 10^-3.
struct significant_digits {
  char digits[40];
  int size = 0;
  int exponent = 0;
};

inline significant_digits take_digits(const char* at, const char* end) noexcept {
  significant_digits found;
  int before_point = 0, zeros = 0;
  bool point = false;
  for (; at != end && *at != 'e'; ++at) {
    if (*at == '.') {
      point = true;
    } else {
      if (found.size != 0 || *at != '0') {
        found.digits[found.size++] = *at;
        before_point += !point;
      } else {
        zeros += point;
      }
    }
  }
  found.exponent = before_point != 0 ? before_point - 1 : -zeros - 1;
  if (at != end) {
    const bool negative = *++at == '-';
    int number = 0;
    for (++at; at != end; ++at) number = number * 10 + (*at - '0');
    found.exponent += negative ? -number : number;
  }
  while (found.size > 0 && found.digits[found.size - 1] == '0') --found.size;
  return found;
}

// Rounds to `count` digits. False at a tie, which only the exact value decides. The shortest digits of a double are on
// the same side of the tie as its value is, else the tie itself would have been shorter, or as short and closer.
inline bool round_shortest(significant_digits& found, int count) noexcept {
  if (found.size <= count) return true;
  const bool up = found.digits[count] >= '5';
  if (found.digits[count] == '5' && found.size == count + 1) return false;
  found.size = count;
  if (up) {
    while (found.size > 0 && found.digits[found.size - 1] == '9') --found.size;
    if (found.size == 0) {
      found.digits[found.size++] = '1';
      ++found.exponent;
    } else {
      ++found.digits[found.size - 1];
    }
  }
  while (found.size > 0 && found.digits[found.size - 1] == '0') --found.size;
  return true;
}

// As %g: plain where the exponent is in [-4, precision), else with an exponent. Returns nullptr at a tie. For numbers
// whose shortest digits are as good as exact ones to 15 digits: zero, and what is not close to the subnormal ones.
template <class Double>
char* write_general(char* to, Double value, int precision) noexcept {
  char text[float_room];
  const char* from = text;
  const char* const end = write_float(text, value);
  if (*from == '-') *to++ = *from++;
  if (value == 0) {
    *to++ = '0';
    return to;
  }
  significant_digits found = take_digits(from, end);
  if (!round_shortest(found, precision)) return nullptr;
  if (found.exponent < -4 || found.exponent >= precision) {
    *to++ = found.digits[0];
    if (found.size > 1) *to++ = '.';
    std::memcpy(to, found.digits + 1, static_cast<std::size_t>(found.size - 1));
    to += found.size - 1;
    *to++ = 'e';
    *to++ = found.exponent < 0 ? '-' : '+';
    const auto exponent = static_cast<unsigned>(found.exponent < 0 ? -found.exponent : found.exponent);
    if (exponent < 10) *to++ = '0';
    return write_unsigned(to, exponent);
  }
  for (int place = found.exponent < 0 ? 0 : found.exponent; place >= 0 || found.exponent - place < found.size;
       --place) {
    if (place == -1) *to++ = '.';
    const int index = found.exponent - place;
    *to++ = index >= 0 && index < found.size ? found.digits[index] : '0';
  }
  return to;
}

enum class float_form : unsigned char { general, fixed, scientific };

// Returns where the text ends, or nullptr for what the standard library has to write: infinities and NaN, ties, what
// needs more digits than are written here. Room needed: longest_float. A template, so that only a program that writes
// floating point compiles any of it.
template <class Double>
char* write_formed(char* to, Double value, float_form form, int precision) noexcept {
  if (!(value - value == 0) || precision < 0 || precision > most_digits) return nullptr;
  if (form == float_form::general) {
    const bool is_tiny = value != 0 && value < smallest_short && value > -smallest_short;
    return precision == 0 || precision > 15 || is_tiny ? nullptr : write_general(to, value, precision);
  }
  const float_style style = form == float_form::fixed ? float_style::fixed : float_style::scientific;
  return format(to, to + longest_float, value, style, precision).ptr;
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
