// A number of up to sixteen characters at once, by each way that this architecture has, against one character after
// the other.
#include <headrace/detail/simd/sixteen_characters.hpp>

#include <headrace/detail/plain_decimal.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

namespace {

using headrace::detail::plain_decimal;

template <class Characters>
class sixteen_characters : public ::testing::Test {};
#if defined(__x86_64__)
using ways = ::testing::Types<headrace::detail::plain_sixteen_characters, headrace::detail::sse2_sixteen_characters>;
#else
using ways = ::testing::Types<headrace::detail::plain_sixteen_characters>;
#endif
TYPED_TEST_SUITE(sixteen_characters, ways, );

// Digits with at most one point, and a number other than zero.
bool join_one_by_one(const std::string& text, plain_decimal& number) {
  number = {};
  bool has_point = false;
  for (const char each : text) {
    if (each == '.' && !has_point) {
      has_point = true;
    } else if (each >= '0' && each <= '9') {
      number.significand = 10 * number.significand + static_cast<unsigned>(each - '0');
      if (has_point) --number.exponent;
    } else {
      return false;
    }
  }
  return number.significand != 0;
}

// With something before it that must not count.
template <class Characters>
void check(const std::string& text, char before) {
  const std::string padded = std::string(16, before) + text;
  plain_decimal number{}, expected{};
  const bool taken =
      Characters::join_decimal(padded.data() + padded.size(), text.size(), number.significand, number.exponent);
  ASSERT_EQ(taken, join_one_by_one(text, expected)) << text;
  if (taken) {
    ASSERT_EQ(number.significand, expected.significand) << text;
    ASSERT_EQ(number.exponent, expected.exponent) << text;
  }
  if (text.size() < 9) return;
  std::uint64_t digits;
  const bool has_others = text.find_first_not_of("0123456789") != std::string::npos;
  ASSERT_EQ(Characters::join_digits(padded.data() + padded.size(), text.size(), digits), !has_others) << text;
  if (!has_others) {
    ASSERT_EQ(digits, expected.significand) << text;
  }
}

TYPED_TEST(sixteen_characters, a_point_at_every_place_of_every_length) {
  std::mt19937_64 random(16);
  for (int round = 0; round < 2000; ++round) {
    std::string digits;
    for (int i = 0; i < 16; ++i) digits += static_cast<char>('0' + random() % 10);
    if (round % 4 == 0) digits.assign(16, "0919"[round / 4 % 4]);
    for (std::size_t length = 0; length <= 16; ++length) {
      std::string text = digits.substr(0, length);
      check<TypeParam>(text, "7. -\xff"[round % 5]);
      for (std::size_t point = 0; point < length; ++point) {
        text = digits.substr(0, length);
        text[point] = '.';
        check<TypeParam>(text, "7. -\xff"[round % 5]);
      }
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(sixteen_characters, every_byte_at_every_place) {
  for (const char* const good : {"1234567890123456", "12345.7890123456", "123456789012.456", "0000000000000000"}) {
    for (std::size_t first = 0; first < 16; ++first) {
      for (std::size_t place = first; place < 16; ++place) {
        for (int byte = 0; byte < 256; ++byte) {
          std::string text = good + first;
          text[place - first] = static_cast<char>(byte);
          check<TypeParam>(text, '1');
        }
        if (this->HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
