// How the files of cases in tests/data are written: {N*s} is s, N times; C escapes are their bytes.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace test {

inline std::string expand(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{') {
      result += text[i];
      continue;
    }
    const std::size_t star = text.find('*', i), close = text.find('}', i);
    const std::string repeated = text.substr(star + 1, close - star - 1);
    for (unsigned long n = std::stoul(text.substr(i + 1, star - i - 1)); n > 0; --n) result += repeated;
    i = close;
  }
  return result;
}

inline std::string decode(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      const char code = text[++i];
      const std::string letters = "0tnvfr\\", bytes("\0\t\n\v\f\r\\", 7);
      if (code == 'x') {
        result += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
        i += 2;
      } else {
        const std::size_t at = letters.find(code);
        if (at == std::string::npos) throw std::runtime_error("no such escape: \\" + std::string(1, code));
        result += bytes[at];
      }
    } else {
      result += text[i];
    }
  }
  return result;
}

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (char byte : text) {
    if (byte == separator) {
      parts.emplace_back();
    } else {
      parts.back() += byte;
    }
  }
  return parts;
}

}  // namespace test
