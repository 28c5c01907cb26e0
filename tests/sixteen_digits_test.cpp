// Sixteen digits at once, by each way that this architecture has, against one digit after the other: every number of
// eight digits, as the upper and as the lower half.
#include <headrace/detail/simd/sixteen_digits.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "support/share.hpp"

namespace {

template <class Digits>
class sixteen_digits : public ::testing::Test {};
#if defined(__x86_64__)
using ways = ::testing::Types<headrace::detail::plain_sixteen_digits, headrace::detail::sse2_sixteen_digits>;
#else
using ways = ::testing::Types<headrace::detail::plain_sixteen_digits>;
#endif
TYPED_TEST_SUITE(sixteen_digits, ways, );

// The next number of eight digits as text.
void count_up(char* text) {
  for (int i = 7; i >= 0; --i) {
    if (++text[i] <= '9') return;
    text[i] = '0';
  }
}

TYPED_TEST(sixteen_digits, every_number) {
  constexpr std::uint32_t end = 100'000'000;
  const unsigned char all[16] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
  char expected[16];
  std::memset(expected, '0', 16);
  char other[] = "99999999";
  for (std::uint32_t number = 0; number < end / test::share(); ++number) {
    std::memcpy(expected + 8, other, 8);
    char text[17];
    TypeParam(number, end - 1 - number).write(text, all);
    ASSERT_EQ(std::memcmp(text, expected, 16), 0) << number << ": " << std::string(text, 16);
    count_up(expected);
    for (int i = 7; i >= 0 && --other[i] < '0'; --i) other[i] = '9';
  }
}

TYPED_TEST(sixteen_digits, zeros_at_the_end_do_not_count) {
  for (std::uint32_t upper = 1; upper < 100'000'000; upper = upper * 10 + upper % 7) {
    for (std::uint32_t lower : {0u, 1u, 10u, 1000u, 10'000'000u, 90'000'000u, 12'345'678u}) {
      char digits[24];
      std::snprintf(digits, sizeof digits, "%08u%08u", upper, lower);
      unsigned wanted = 16;
      while (digits[wanted - 1] == '0') --wanted;
      EXPECT_EQ(TypeParam(upper, lower).count(0), wanted) << digits;
      EXPECT_EQ(TypeParam(upper, lower).count(9), 17u) << digits;
    }
  }
}

TYPED_TEST(sixteen_digits, a_gap_after_any_digit) {
  for (int before = 0; before <= 16; ++before) {
    unsigned char mask[16];
    std::string expected = "1234567890123456";
    for (int i = 0; i < 16; ++i) mask[i] = i < before ? 255 : 0;
    char text[17];
    TypeParam(12345678, 90123456).write(text, mask);
    text[before] = '.';
    expected.insert(static_cast<std::size_t>(before), 1, '.');
    EXPECT_EQ(std::string(text, 17), expected);
  }
}

}  // namespace
