// The C library's strtof, strtod and strtold: what our parsing and formatting is compared with. strtof and strtod for
// Windows are a unit in the last place off now and then, or more among subnormal numbers: there strtold begins, and the
// neighbour wins that is nearer to the text.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "exact_decimal.hpp"

namespace test {

// The number that a decimal token spells, without its sign.
inline exact_decimal spelt(const std::string& token) {
  exact_decimal number;
  bool after_point = false;
  std::size_t at = token[0] == '-' || token[0] == '+';
  for (; at < token.size() && token[at] != 'e' && token[at] != 'E'; ++at) {
    if (token[at] == '.') {
      after_point = true;
    } else if (token[at] == '0' && number.digits.empty()) {
      number.point -= after_point;
    } else {
      number.digits += token[at];
      number.point += !after_point;
    }
  }
  if (at < token.size()) number.point += std::atoi(token.c_str() + at + 1);
  while (!number.digits.empty() && number.digits.back() == '0') number.digits.pop_back();
  return number;
}

// Negative, 0 or positive, as the token is less than `middle`, the same, or greater. Only what strtold cannot tell
// apart is compared digit by digit.
inline int compare(const std::string& token, long double middle) {
  const long double near = std::fabs(std::strtold(token.c_str(), nullptr));
  if (near != middle) return near < middle ? -1 : 1;
  const exact_decimal number = spelt(token), other = spelt(exact_scientific(middle, 12000));
  if (number.point != other.point) return number.point < other.point ? -1 : 1;
  return number.digits.compare(other.digits);
}

// Half-way from `size` to the next greater number, or to what that would be.
template <class Float>
long double middle_above(Float size) {
  if (size == std::numeric_limits<Float>::max()) {
    const Float below = std::nextafter(size, Float(0));
    return size + (static_cast<long double>(size) - static_cast<long double>(below)) / 2;
  }
  const Float above = std::nextafter(size, std::numeric_limits<Float>::infinity());
  return (static_cast<long double>(size) + static_cast<long double>(above)) / 2;
}

// `value`, or the one of its neighbours that the token is nearer to; in the middle the even one.
template <class Float>
Float nearest(const std::string& token, Float value) {
  if (value != value || token.find_first_of("nN") != std::string::npos) return value;  // nan, inf
  const Float size = std::fabs(value);
  std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t> bits;
  std::memcpy(&bits, &size, sizeof size);
  const bool odd = bits % 2 != 0;
  if (size != 0) {
    const Float below = std::nextafter(size, Float(0));
    const int side = compare(token, middle_above(below));
    if (side < 0 || (side == 0 && odd)) return std::copysign(below, value);
  }
  if (!std::isinf(size)) {
    const int side = compare(token, middle_above(size));
    if (side > 0 || (side == 0 && odd)) {
      return std::copysign(std::nextafter(size, std::numeric_limits<Float>::infinity()), value);
    }
  }
  return value;
}

template <class Float>
Float float_from(const std::string& text) {
  if constexpr (std::is_same_v<Float, long double>) {
    return std::strtold(text.c_str(), nullptr);
#if defined(_WIN32)
  } else {
    return nearest(text, static_cast<Float>(std::strtold(text.c_str(), nullptr)));
  }
#else
  } else if constexpr (std::is_same_v<Float, float>) {
    return std::strtof(text.c_str(), nullptr);
  } else {
    return std::strtod(text.c_str(), nullptr);
  }
#endif
}

}  // namespace test
