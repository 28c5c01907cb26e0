// Floating-point numbers as text by schoolbook arithmetic, every digit exact: what printf says with "%La", "%.*Lf" and
// "%.*Le", where its long double is missing or not exact (the C libraries of Windows). Slow and plain.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace test {

// The bits of the fraction in pieces of 28, from the first one down, and the exponent of two after the last one.
struct binary_pieces {
  std::vector<std::uint32_t> pieces;
  int exponent = 0;
};

inline binary_pieces pieces_of(long double value) {
  binary_pieces result;
  long double fraction = std::frexp(std::fabs(value), &result.exponent);
  while (fraction != 0) {
    fraction = std::ldexp(fraction, 28);
    result.pieces.push_back(static_cast<std::uint32_t>(fraction));
    fraction -= static_cast<long double>(result.pieces.back());
    result.exponent -= 28;
  }
  return result;
}

// The same text for the same number, and only for that.
inline std::string hexadecimal(long double value) {
  if (value != value) return "nan";
  std::string text = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return text + "inf";
  const binary_pieces binary = pieces_of(value);
  for (const std::uint32_t piece : binary.pieces) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%07x", static_cast<unsigned>(piece));
    text += digits;
  }
  return text + "p" + std::to_string(binary.exponent);
}

// A whole number: digits to the base of a thousand million, the last one first.
class big_number {
 public:
  void multiply_and_add(std::uint32_t factor, std::uint32_t addend) {
    std::uint64_t carry = addend;
    for (std::uint32_t& digit : digits_) {
      carry += std::uint64_t(digit) * factor;
      digit = static_cast<std::uint32_t>(carry % 1000000000);
      carry /= 1000000000;
    }
    if (carry != 0) digits_.push_back(static_cast<std::uint32_t>(carry));
  }
  std::string text() const {  // without zeros at its front
    std::string result;
    for (std::size_t i = digits_.size(); i-- > 0;) {
      const std::string nine = std::to_string(digits_[i]);
      result += std::string(result.empty() ? 0 : 9 - nine.size(), '0') + nine;
    }
    return result;
  }

 private:
  std::vector<std::uint32_t> digits_;
};

// 0.DIGITS times ten to the `point`.
struct exact_decimal {
  std::string digits;
  int point = 0;
};

inline exact_decimal decimal_of(long double value) {
  const binary_pieces binary = pieces_of(value);
  big_number number;
  for (const std::uint32_t piece : binary.pieces) number.multiply_and_add(1u << 28, piece);
  int exponent = binary.pieces.empty() ? 0 : binary.exponent;
  const int after_point = exponent < 0 ? -exponent : 0;  // times 2^-n is times 5^n, n places to the right
  for (; exponent >= 28; exponent -= 28) number.multiply_and_add(1u << 28, 0);
  for (; exponent > 0; --exponent) number.multiply_and_add(2, 0);
  for (; exponent <= -12; exponent += 12) number.multiply_and_add(244140625, 0);
  for (; exponent < 0; ++exponent) number.multiply_and_add(5, 0);
  exact_decimal result{number.text(), 0};
  result.point = static_cast<int>(result.digits.size()) - after_point;
  return result;
}

// The first `keep` digits, rounded; half goes to the even one. A carry may add one in front.
inline exact_decimal rounded(exact_decimal number, int keep) {
  if (keep < 0) return {"", number.point - keep};
  const auto size = static_cast<std::size_t>(keep);
  if (size >= number.digits.size()) {
    number.digits.append(size - number.digits.size(), '0');
    return number;
  }
  const bool odd = size > 0 && (number.digits[size - 1] - '0') % 2 != 0;
  const bool tie = number.digits[size] == '5' && number.digits.find_first_not_of('0', size + 1) == std::string::npos;
  const bool up = tie ? odd : number.digits[size] >= '5';
  number.digits.resize(size);
  if (!up) return number;
  std::size_t last = size;
  while (last > 0 && number.digits[last - 1] == '9') number.digits[--last] = '0';
  if (last > 0) {
    ++number.digits[last - 1];
  } else {
    number.digits.insert(0, "1");
    ++number.point;
  }
  return number;
}

// As printf's "%.*f", for every finite number.
inline std::string exact_fixed(long double value, int precision) {
  const exact_decimal exact = decimal_of(value);
  std::string digits = rounded(exact, exact.point + precision).digits;
  const auto places = static_cast<std::size_t>(precision);
  if (digits.size() < places + 1) digits.insert(0, places + 1 - digits.size(), '0');
  if (precision > 0) digits.insert(digits.size() - places, ".");
  return (std::signbit(value) ? "-" : "") + digits;
}

// As printf's "%.*e", for every finite number.
inline std::string exact_scientific(long double value, int precision) {
  exact_decimal number = decimal_of(value);
  if (number.digits.empty()) number = {"0", 1};
  number = rounded(number, precision + 1);
  std::string digits = number.digits.substr(0, static_cast<std::size_t>(precision) + 1);
  if (precision > 0) digits.insert(1, ".");
  const int exponent = number.point - 1;
  const std::string size = std::to_string(exponent < 0 ? -exponent : exponent);
  return (std::signbit(value) ? "-" : "") + digits + (exponent < 0 ? "e-" : "e+") + (size.size() < 2 ? "0" : "") + size;
}

}  // namespace test
