// The reader's contract once more, as slow and plain as can be: a text, a place in it, and loops over bytes.
#pragma once

#include <headrace/types.hpp>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include "c_library.hpp"

namespace test {

class model {
 public:
  explicit model(std::string text) : text_(std::move(text)) {}

  static bool is_whitespace(char byte) { return std::string_view(" \t\n\v\f\r").find(byte) != std::string_view::npos; }

  const std::string& text() const { return text_; }
  std::size_t offset() const { return at_; }
  std::size_t line_of(std::size_t offset) const {
    std::size_t line = 1;
    for (std::size_t i = 0; i < offset; ++i) line += text_[i] == '\n';
    return line;
  }
  std::size_t column_of(std::size_t offset) const {
    std::size_t column = 1;
    while (offset-- > 0 && text_[offset] != '\n') ++column;
    return column;
  }
  bool at_end() const { return token_begin() == text_.size(); }
  void consume(std::size_t bytes) { at_ += bytes; }

  // Each gives errc{}, or what an input_error would say; then the place is before the token or at the end.
  template <class T>
  std::errc read(T& value) {
    const std::size_t begin = token_begin(), end = token_end(begin);
    at_ = begin;
    if (begin == end) return std::errc::no_message;
    const std::errc code = parse(text_.substr(begin, end - begin), value);
    if (code == std::errc{}) at_ = end;
    return code;
  }
  std::errc read(char& value) {
    at_ = token_begin();
    if (at_ == text_.size()) return std::errc::no_message;
    value = text_[at_++];
    return std::errc{};
  }
  std::errc read_line(std::string& line) {
    if (at_ == text_.size()) return std::errc::no_message;
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != '\n') ++end;
    line = text_.substr(at_, end - at_);
    at_ = end;
    if (end < text_.size()) {
      ++at_;
      if (!line.empty() && line.back() == '\r') line.pop_back();
    }
    return std::errc{};
  }

  static std::errc parse(const std::string& token, std::string& value) {
    value = token;
    return std::errc{};
  }
  static std::errc parse(const std::string& token, bool& value) {
    int number = 0;
    std::errc code = parse(token, number);
    if (code == std::errc{} && number != 0 && number != 1) code = std::errc::result_out_of_range;
    if (code == std::errc{}) value = number == 1;
    return code;
  }
  // Digit by digit, in the negative where there is more room.
  template <class T, std::enable_if_t<headrace::detail::is_integer<T>, int> = 0>
  static std::errc parse(const std::string& token, T& value) {
    std::size_t i = token[0] == '-' || token[0] == '+';
    if (i == token.size()) return std::errc::invalid_argument;
    for (std::size_t k = i; k < token.size(); ++k) {
      if (token[k] < '0' || token[k] > '9') return std::errc::invalid_argument;
    }
    T sum = 0;
    for (; i < token.size(); ++i) {
      const T digit = static_cast<T>(token[i] - '0');
      T tenfold, next;
      if (__builtin_mul_overflow(sum, T(10), &tenfold)) return std::errc::result_out_of_range;
      const bool too_far = token[0] == '-' ? __builtin_sub_overflow(tenfold, digit, &next)
                                           : __builtin_add_overflow(tenfold, digit, &next);
      if (too_far) return std::errc::result_out_of_range;
      sum = next;
    }
    value = sum;
    return std::errc{};
  }
  template <class T, std::enable_if_t<headrace::detail::is_float<T>, int> = 0>
  static std::errc parse(const std::string& token, T& value) {
    bool zero = true;
    if (!is_decimal(token, zero) && !is_special(token)) return std::errc::invalid_argument;
    const T parsed = float_from<T>(token);
    if (!is_special(token) && (!(parsed - parsed == 0) || (parsed == 0 && !zero))) {
      return std::errc::result_out_of_range;
    }
    value = parsed;
    return std::errc{};
  }

 private:
  static bool is_special(std::string token) {
    if (token[0] == '-' || token[0] == '+') token.erase(0, 1);
    for (char& byte : token) {
      if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
    }
    return token == "inf" || token == "infinity" || token == "nan";
  }
  // [+-] digits [. digits] [e [+-] digits]; `zero` when no digit before the exponent is another.
  static bool is_decimal(const std::string& token, bool& zero) {
    std::size_t i = token[0] == '-' || token[0] == '+';
    std::size_t digits = 0, points = 0;
    for (; i < token.size() && ((token[i] >= '0' && token[i] <= '9') || (token[i] == '.' && points == 0)); ++i) {
      points += token[i] == '.';
      digits += token[i] != '.';
      zero = zero && (token[i] == '.' || token[i] == '0');
    }
    if (digits == 0) return false;
    if (i == token.size()) return true;
    if (token[i] != 'e' && token[i] != 'E') return false;
    ++i;
    if (i < token.size() && (token[i] == '-' || token[i] == '+')) ++i;
    if (i == token.size()) return false;
    for (; i < token.size(); ++i) {
      if (token[i] < '0' || token[i] > '9') return false;
    }
    return true;
  }

  std::size_t token_begin() const {
    std::size_t begin = at_;
    while (begin < text_.size() && is_whitespace(text_[begin])) ++begin;
    return begin;
  }
  std::size_t token_end(std::size_t begin) const {
    while (begin < text_.size() && !is_whitespace(text_[begin])) ++begin;
    return begin;
  }

  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace test
