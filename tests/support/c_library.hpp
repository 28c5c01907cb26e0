// The C library's strtof, strtod and strtold: what our parsing and formatting is compared with. Those for Windows are a
// unit in the last place off now and then, as is libstdc++'s from_chars in 32 bits there: of the two, the one that is
// nearer to strtold's counts.
#pragma once

#include <cstdlib>
#include <string>
#include <type_traits>
#if defined(_WIN32)
#include <charconv>
#include <system_error>
#endif

namespace test {

#if defined(_WIN32)
template <class Float>
Float nearer(const std::string& text, const char* end, Float value) {
  Float other;
  const char* const first = text.c_str() + (text[0] == '+');
  const std::from_chars_result result = std::from_chars(first, text.c_str() + text.size(), other);
  if (result.ec != std::errc{} || result.ptr != end) return value;
  const long double exact = std::strtold(text.c_str(), nullptr);
  const auto distance = [exact](Float from) { return from < exact ? exact - from : from - exact; };
  return distance(other) < distance(value) ? other : value;
}
#else
template <class Float>
Float nearer(const std::string&, const char*, Float value) {
  return value;
}
#endif

template <class Float>
Float float_from(const std::string& text) {
  char* end = nullptr;
  if constexpr (std::is_same_v<Float, long double>) {
    return std::strtold(text.c_str(), &end);
  } else if constexpr (std::is_same_v<Float, float>) {
    const float value = std::strtof(text.c_str(), &end);
    return nearer(text, end, value);
  } else {
    const double value = std::strtod(text.c_str(), &end);
    return nearer(text, end, value);
  }
}

}  // namespace test
