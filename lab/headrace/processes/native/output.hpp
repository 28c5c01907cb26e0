// The output of a program, as it arrived, and its first bytes as a line of JSON carries them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "digest.hpp"

namespace launch {

// Its length, its digest and its first bytes.
struct output {
  digest sum;
  std::string head;
  std::size_t head_limit = 65536;

  void add(const char* bytes, std::size_t count) {
    sum.add(bytes, count);
    if (head.size() < head_limit) {
      const std::size_t room = head_limit - head.size();
      head.append(bytes, count < room ? count : room);
    }
  }
};

inline std::string base64(const std::string& bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group_of_three = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group_of_three = group_of_three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? digits[group_of_three >> (18 - 6 * k) & 63u] : '=';
    }
  }
  return text;
}

}  // namespace launch
