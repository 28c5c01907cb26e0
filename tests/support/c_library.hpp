// The C library's strtof, strtod and strtold: what our parsing and formatting is compared with. Those of Windows (msvcrt
// under wine, at least) are a unit in the last place off now and then: there the C++ library's from_chars corrects them.
#pragma once

#include <cstdlib>
#include <string>
#include <type_traits>
#if defined(_WIN32)
#include <charconv>
#include <system_error>
#endif

namespace test {

template <class Float>
Float float_from(const std::string& text) {
  if constexpr (std::is_same_v<Float, long double>) {
    return std::strtold(text.c_str(), nullptr);
  } else {
    char* end = nullptr;
    Float value;
    if constexpr (std::is_same_v<Float, float>) {
      value = std::strtof(text.c_str(), &end);
    } else {
      value = std::strtod(text.c_str(), &end);
    }
#if defined(_WIN32)
    Float exact;
    const char* const first = text.c_str() + (text[0] == '+');
    const std::from_chars_result result = std::from_chars(first, text.c_str() + text.size(), exact);
    if (result.ec == std::errc{} && result.ptr == end) value = exact;
    // Out of range, from_chars gives nothing, and strtod its infinity or zero; but not always there and then.
    if (result.ec == std::errc::result_out_of_range && value - value == 0) value *= 0;
#endif
    return value;
  }
}

}  // namespace test
