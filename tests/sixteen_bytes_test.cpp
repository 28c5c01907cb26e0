// Sixteen bytes at once, by each way that this architecture has, against one after the other: a number of up to sixteen
// characters, and where tokens end; and every number of eight digits to text, as the upper and as the lower half of
// sixteen.
#include <headrace/detail/simd/sixteen_bytes.hpp>

#include <headrace/detail/plain_decimal.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>

#include "support/share.hpp"

namespace {

using headrace::detail::plain_decimal;

struct plain {
  using characters = headrace::detail::plain_sixteen_characters;
  using digits = headrace::detail::plain_sixteen_digits;
};
#if defined(__x86_64__)
struct sse2 {
  using characters = headrace::detail::sse2_sixteen_characters;
  using digits = headrace::detail::sse2_sixteen_digits;
};
using ways = ::testing::Types<plain, sse2>;
#else
using ways = ::testing::Types<plain>;
#endif
template <class Way>
class sixteen_bytes : public ::testing::Test {};
TYPED_TEST_SUITE(sixteen_bytes, ways, );

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
  if (text.empty()) return;
  std::uint64_t digits;
  const bool has_others = text.find_first_not_of("0123456789") != std::string::npos;
  ASSERT_EQ(Characters::join_digits(padded.data() + padded.size(), text.size(), digits), !has_others) << text;
  if (!has_others) {
    ASSERT_EQ(digits, expected.significand) << text;
  }
  if (text.size() > 8) return;
  ASSERT_EQ(Characters::join_few(padded.data() + padded.size(), text.size(), digits), !has_others) << text;
  if (!has_others) {
    ASSERT_EQ(digits, expected.significand) << text;
  }
}

#if defined(__x86_64__)
TEST(sixteen_bytes_of_sse2, whitespace_ends_a_token_at_every_place_and_what_is_visible_does_not) {
  for (const char other : {'0', ' ', '\t', '\r', '~', '!'}) {
    std::string text(64, other);
    const std::uint64_t all = other > ' ' ? 0 : ~std::uint64_t(0);
    for (int byte = 0; byte < 0x7f; ++byte) {
      const bool is_white = headrace::detail::is_whitespace(static_cast<char>(byte));
      if (!is_white && byte <= ' ') continue;
      for (std::size_t place = 0; place < 64; ++place) {
        text[place] = static_cast<char>(byte);
        const std::uint64_t bit = std::uint64_t(1) << place;
        ASSERT_EQ(sse2::characters::find_ends(text.data()), is_white ? all | bit : all & ~bit) << byte << " " << place;
        text[place] = other;
      }
    }
  }
}
#endif

TYPED_TEST(sixteen_bytes, a_point_at_every_place_of_every_length) {
  std::mt19937_64 random(16);
  for (int round = 0; round < 2000; ++round) {
    std::string digits;
    for (int i = 0; i < 16; ++i) digits += static_cast<char>('0' + random() % 10);
    if (round % 4 == 0) digits.assign(16, "0919"[round / 4 % 4]);
    for (std::size_t length = 0; length <= 16; ++length) {
      std::string text = digits.substr(0, length);
      check<typename TypeParam::characters>(text, "7. -\xff"[round % 5]);
      for (std::size_t point = 0; point < length; ++point) {
        text = digits.substr(0, length);
        text[point] = '.';
        check<typename TypeParam::characters>(text, "7. -\xff"[round % 5]);
      }
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(sixteen_bytes, every_byte_at_every_place) {
  for (const char* const good : {"1234567890123456", "12345.7890123456", "123456789012.456", "0000000000000000"}) {
    for (std::size_t first = 0; first < 16; ++first) {
      for (std::size_t place = first; place < 16; ++place) {
        for (int byte = 0; byte < 256; ++byte) {
          std::string text = good + first;
          text[place - first] = static_cast<char>(byte);
          check<typename TypeParam::characters>(text, '1');
        }
        if (this->HasFatalFailure()) return;
      }
    }
  }
}

// The next number of eight digits as text.
void count_up(char* text) {
  for (int i = 7; i >= 0; --i) {
    if (++text[i] <= '9') return;
    text[i] = '0';
  }
}

TYPED_TEST(sixteen_bytes, every_number) {
  constexpr std::uint32_t end = 100'000'000;
  const unsigned char all[16] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
  char expected[16];
  std::memset(expected, '0', 16);
  char other[] = "99999999";
  for (std::uint32_t number = 0; number < end / test::share(); ++number) {
    std::memcpy(expected + 8, other, 8);
    char text[17];
    typename TypeParam::digits(number, end - 1 - number).write(text, all);
    ASSERT_EQ(std::memcmp(text, expected, 16), 0) << number << ": " << std::string(text, 16);
    count_up(expected);
    for (int i = 7; i >= 0 && --other[i] < '0'; --i) other[i] = '9';
  }
}

TYPED_TEST(sixteen_bytes, zeros_at_the_front_are_left_out) {
  for (std::uint32_t upper = 1; upper < 100'000'000; upper = upper * 10 + upper % 7) {
    for (std::uint32_t lower : {0u, 1u, 90'000'000u, 12'345'678u, 99'999'999u}) {
      char expected[24], text[24];
      std::snprintf(expected, sizeof expected, "%u%08u*", upper, lower);
      std::memset(text, '*', sizeof text);
      const char* const end = typename TypeParam::digits(upper, lower).write_significant(text);
      EXPECT_EQ(std::string(text, static_cast<std::size_t>(end + 1 - text)), expected);
    }
  }
}

TYPED_TEST(sixteen_bytes, zeros_at_the_end_do_not_count) {
  for (std::uint32_t upper = 1; upper < 100'000'000; upper = upper * 10 + upper % 7) {
    for (std::uint32_t lower : {0u, 1u, 10u, 1000u, 10'000'000u, 90'000'000u, 12'345'678u}) {
      char digits[24];
      std::snprintf(digits, sizeof digits, "%08u%08u", upper, lower);
      unsigned wanted = 16;
      while (digits[wanted - 1] == '0') --wanted;
      EXPECT_EQ(typename TypeParam::digits(upper, lower).count(0), wanted) << digits;
      EXPECT_EQ(typename TypeParam::digits(upper, lower).count(9), 17u) << digits;
    }
  }
}

TYPED_TEST(sixteen_bytes, a_gap_after_any_digit) {
  for (int before = 0; before <= 16; ++before) {
    unsigned char mask[16];
    std::string expected = "1234567890123456";
    for (int i = 0; i < 16; ++i) mask[i] = i < before ? 255 : 0;
    char text[17];
    typename TypeParam::digits(12345678, 90123456).write(text, mask);
    text[before] = '.';
    expected.insert(static_cast<std::size_t>(before), 1, '.');
    EXPECT_EQ(std::string(text, 17), expected);
  }
}

}  // namespace
