// parse() of floats: correctly rounded, compared bit by bit with the C library's strtof, strtod and strtold, and with
// what exact arithmetic says about the places between two numbers.
#include <headrace/parse.hpp>

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "support/convert.hpp"
#include "support/exact_decimal.hpp"
#include "support/model.hpp"
#include "support/share.hpp"

namespace {

using test::hexadecimal;

constexpr std::errc good{};
constexpr std::errc malformed = std::errc::invalid_argument;
constexpr std::errc out_of_range = std::errc::result_out_of_range;

template <class Float>
bool same(Float a, Float b) {
  return a == b ? std::signbit(a) == std::signbit(b) : a != a && b != b;
}

// All ways to parse a whole token give what the model (by the C library) says.
template <class Float>
void compare(const std::string& token) {
  Float expected = 42;
  const std::errc code = test::model::parse(token, expected);

  std::vector<char> exact(token.begin(), token.end());  // a sanitizer sees a read past it
  exact.shrink_to_fit();
  Float value = 42;
  const headrace::parse_result result = headrace::parse(exact.data(), exact.data() + exact.size(), value);
  if (code == malformed) {  // the token may begin with a number
    ASSERT_TRUE(result.ec == malformed ? result.ptr == exact.data() : result.ptr < exact.data() + exact.size())
        << token;
    value = 42;
  } else {
    ASSERT_EQ(result.ec, code) << token;
    ASSERT_EQ(result.ptr, exact.data() + exact.size()) << token;
  }
  ASSERT_TRUE(same(value, expected)) << token << ": " << hexadecimal(value) << ", expected " << hexadecimal(expected);

  // 16 bytes of room on both sides, or more; what ends a token may be found by another way than its digits
  const std::string buffer = "1234567 87654321" + token + " ,;]\n"[token.size() % 5] + "12345678 765432112";
  const char* const first = buffer.data() + 16;
  value = 42;
  ASSERT_EQ(headrace::detail::parse_token_in_buffer(first, first + token.size(), value), code) << token;
  ASSERT_TRUE(same(value, expected)) << token << " in a buffer: " << hexadecimal(value);
  value = 42;
  ASSERT_EQ(headrace::detail::parse_token_in_turn(first, first + token.size(), value), code == std::errc{}) << token;
  ASSERT_TRUE(same(value, expected)) << token << " in turn: " << hexadecimal(value);
  if (code == malformed) return;
  value = 42;
  const headrace::parse_result first_of_many = headrace::parse(first, buffer.data() + buffer.size(), value);
  ASSERT_EQ(first_of_many.ec, code) << token;
  ASSERT_EQ(first_of_many.ptr, first + token.size()) << token;
  ASSERT_TRUE(same(value, expected)) << token << " with text after it: " << hexadecimal(value);
}

void compare_all(const std::string& token) {
  compare<float>(token);
  compare<double>(token);
  compare<long double>(token);
}

std::string digits(std::mt19937_64& random, std::uint64_t count) {
  std::string text;
  for (std::uint64_t i = 0; i < count; ++i) text += static_cast<char>('0' + random() % 10);
  return text;
}

// ---- random numbers ----

TEST(parse_float, random_bits_of_double) {
  std::mt19937_64 random(1);
  for (int i = 0; i < test::share_of(60000) && !testing::Test::HasFatalFailure(); ++i) {
    const std::uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    char text[64];
    std::snprintf(text, sizeof text, "%.*e", static_cast<int>(10 + random() % 10), value);
    compare<double>(text);
    compare<float>(text);
  }
}

TEST(parse_float, random_bits_of_float) {
  std::mt19937_64 random(2);
  for (int i = 0; i < test::share_of(60000) && !testing::Test::HasFatalFailure(); ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    float value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    char text[64];
    std::snprintf(text, sizeof text, "%.*e", static_cast<int>(4 + random() % 12), static_cast<double>(value));
    compare<float>(text);
  }
}

TEST(parse_float, random_decimals) {
  std::mt19937_64 random(3);
  for (int i = 0; i < test::share_of(40000) && !testing::Test::HasFatalFailure(); ++i) {
    std::string text = random() % 2 ? "-" : "";
    text += digits(random, random() % 25);
    if (random() % 2) text += '.' + digits(random, random() % 25);
    if (random() % 2) text += "e" + std::to_string(static_cast<int>(random() % 700) - 350);
    if (!text.empty()) compare<double>(text);
    if (!text.empty()) compare<float>(text);
    if (!text.empty() && i % 8 == 0) compare<long double>(text);
  }
}

// Few digits and every power of ten: products that end in many zeros or ones.
TEST(parse_float, short_significands_times_every_power) {
  for (int power = -360; power <= 320 && !testing::Test::HasFatalFailure(); ++power) {
    for (const char* significand : {"1", "5", "9", "17", "9007199254740993", "9007199254740991", "18446744073709551615",
                                    "18446744073709551616", "9223372036854775808", "1000000000000000000000001"}) {
      compare<double>(significand + ("e" + std::to_string(power)));
      compare<float>(significand + ("e" + std::to_string(power)));
    }
  }
}

// ---- halfway between two neighbours: even wins, and one digit more decides ----

// The decimal that lies exactly between `value` and the next greater double or float, of which it is a long double or a
// double.
template <class Float>
std::string halfway(Float value) {
  using wider = std::conditional_t<std::is_same_v<Float, float>, double, long double>;
  const Float above = std::nextafter(value, std::numeric_limits<Float>::infinity());
  const wider middle = (static_cast<wider>(value) + static_cast<wider>(above)) / 2;
  const std::string digits = test::exact_scientific(static_cast<long double>(middle), 1100);
  const std::size_t e = digits.find('e');
  std::string significand = digits.substr(0, e);
  while (significand.back() == '0') significand.pop_back();
  return significand + '|' + digits.substr(e);  // where more digits would go
}

template <class Float>
void compare_around_halfway(Float value) {
  const std::string middle = halfway(value);
  const std::size_t bar = middle.find('|');
  const std::string significand = middle.substr(0, bar), exponent = middle.substr(bar + 1);
  compare<Float>(significand + exponent);
  compare<Float>(significand + "0000000000000000000000000000000" + exponent);
  compare<Float>(significand + "0000000000000000000000000000001" + exponent);
  compare<Float>(significand + std::string(2000, '0') + "1" + exponent);
  std::string below = significand;  // ends in 5, but for a power of two below 1
  --below.back();
  compare<Float>(below + "9999999999999999999999999999999" + exponent);
}

static_assert(LDBL_MANT_DIG >= DBL_MANT_DIG, "");

TEST(parse_float, halfway_between_floats) {
  std::mt19937_64 random(4);
  for (int i = 0; i < test::share_of(6000) && !testing::Test::HasFatalFailure(); ++i) {
    std::uint32_t bits = static_cast<std::uint32_t>(random()) & 0x7fffffff;
    if (i % 4 == 0) bits &= 0x7f8000ff;   // few digits
    if (i % 16 == 1) bits &= 0x00ffffff;  // subnormal, or nearly
    float value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value) && value < FLT_MAX) compare_around_halfway(value);
  }
}

TEST(parse_float, halfway_between_doubles) {
  if (LDBL_MANT_DIG == DBL_MANT_DIG) GTEST_SKIP() << "long double is no wider than double here";
  std::mt19937_64 random(5);
  for (int i = 0; i < test::share_of(3000) && !testing::Test::HasFatalFailure(); ++i) {
    std::uint64_t bits = random() & 0x7fffffffffffffff;
    if (i % 4 == 0) bits = (bits & 0x000fffffffffffff) | (1000 + random() % 50) << 52;  // near 1: ties of few digits
    if (i % 16 == 1) bits &= 0x001fffffffffffff;
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value) && value < DBL_MAX) compare_around_halfway(value);
  }
}

// Integers between 2^53 and 2^64 are halfway cases that 19 digits hold.
TEST(parse_float, integers_above_2_to_53) {
  std::mt19937_64 random(6);
  for (int i = 0; i < test::share_of(60000) && !testing::Test::HasFatalFailure(); ++i) {
    const int width = 54 + static_cast<int>(random() % 11);
    std::uint64_t number = random() >> (64 - width);
    const int keep = static_cast<int>(random() % 12);
    number &= ~std::uint64_t(0) << keep;
    number |= std::uint64_t(1) << (width - 1);
    for (std::uint64_t n : {number - 1, number, number + 1}) {
      compare<double>(std::to_string(n));
      compare<float>(std::to_string(n));
    }
  }
}

// ---- long double ----

TEST(parse_float, long_doubles) {
  std::mt19937_64 random(7);
  for (int i = 0; i < test::share_of(1500) && !testing::Test::HasFatalFailure(); ++i) {
    std::string text = digits(random, 1 + random() % 30) + "." + digits(random, 1 + random() % 30);
    text += "e" + std::to_string(static_cast<int>(random() % 9900) - 4970);
    compare<long double>(text);
  }
}

TEST(parse_float, edges_of_long_double) {
  for (long double value : {LDBL_MAX, LDBL_MIN, LDBL_EPSILON, std::numeric_limits<long double>::denorm_min()}) {
    compare<long double>(test::exact_scientific(value, 40));
    compare<long double>(test::exact_scientific(-value, 25));
  }
}

// ---- extremes ----

TEST(parse_float, long_texts) {
#if defined(_WIN32)
  GTEST_SKIP() << "the C library miscounts the exponents of long texts: there is nothing to compare with";
#endif
  compare_all(std::string(5000, '1'));
  compare_all(std::string(5000, '0') + "1");
  compare_all("0." + std::string(5000, '0') + "1e5000");
  compare_all("0." + std::string(5000, '0') + "1e5001");
  compare_all("1" + std::string(5000, '0') + "e-5000");
  compare_all("1" + std::string(20000, '0') + "1e-20000");
  compare_all(std::string(400, '9') + "." + std::string(20000, '9') + "e-400");
  compare_all("." + std::string(20000, '7'));
  compare_all("." + std::string(100000, '0') + std::string(30, '3') + "e100000");
}

TEST(parse_float, extreme_exponents) {
  for (const std::string& exponent : test::words_of(
           "0 1 -1 99 307 308 309 -307 -308 -323 -324 -325 -342 -343 -400 400 4931 4932 4933 -4931 -4950 -4951 -4952 "
           "99999 -99999 2147483647 -2147483648 9223372036854775807 -9223372036854775808 18446744073709551616 "
           "100000000000000000000000000000 -100000000000000000000000000000")) {
    for (const char* significand :
         {"0", "0.0", "1", "9.999999999999999999999", "0.00000000000000000000001", "123456789012345678901"}) {
      compare_all(std::string(significand) + "e" + exponent);
      compare_all(std::string("-") + significand + "E" + exponent);
    }
  }
}

TEST(parse_float, edges_of_double) {
  for (const std::string& text : test::words_of(
           "1.7976931348623157e308 1.7976931348623158e308 1.7976931348623159e308 179769313486231580793e289 "
           "2.2250738585072014e-308 2.2250738585072011e-308 "
           "2.225073858507201136057409796709131975934819546351645648e-308 4.9406564584124654e-324 "
           "2.4703282292062327e-324 2.4703282292062328e-324 3.4028234663852886e38 3.4028235677973366e38 "
           "3.4028235677973367e38 1.17549435e-38 1.4e-45 7.006492321624085e-46 7.0064923216240854e-46 8.41e21 "
           "9007199254740993 6.631236871469758276785396630275967e-33")) {
    compare_all(text);
    compare_all('-' + text);
  }
}

// ---- grammar ----

template <class Float>
void expect(const std::string& text, std::errc code, std::size_t length, Float value) {
  Float parsed = 42;
  const headrace::parse_result result = headrace::parse(text.data(), text.data() + text.size(), parsed);
  EXPECT_EQ(result.ec, code) << text;
  EXPECT_EQ(result.ptr - text.data(), static_cast<std::ptrdiff_t>(length)) << text;
  EXPECT_TRUE(same(parsed, code == good ? value : Float(42))) << text;
}

TEST(parse_float, ends_where_the_number_ends) {
  expect("1e", good, 1, 1.0);
  expect("1e+", good, 1, 1.0);
  expect("1e5x", good, 3, 1e5);
  expect("1.5.5", good, 3, 1.5);
  expect("1.", good, 2, 1.0);
  expect(".5", good, 2, 0.5);
  expect("0x1p3", good, 1, 0.0);
  expect("infinit", good, 3, std::numeric_limits<double>::infinity());
  expect("-InFiNiTy!", good, 9, -std::numeric_limits<double>::infinity());
  expect("nano", good, 3, std::numeric_limits<double>::quiet_NaN());
  expect("1e400 ", out_of_range, 5, 0.0);
  expect("1e-400 ", out_of_range, 6, 0.0);
  for (const char* text : {"", "-", "+", ".", "-.", "e5", ".e5", "x", "in", "na", " 1", "--1", "+-1", "-e"}) {
    expect(text, malformed, 0, 0.0);
    expect(text, malformed, 0, 0.0f);
    expect(text, malformed, 0, 0.0L);
  }
}

TEST(parse_float, every_short_text) {
  constexpr char alphabet[] = {'0', '1', '9', '.', '-', '+', 'e', 'E', 'x', '\0', 'n', 'i'};
  constexpr unsigned letters = sizeof alphabet;
  for (unsigned length = 1; length <= 5; ++length) {
    unsigned count = 1;
    for (unsigned i = 0; i < length; ++i) count *= letters;
    for (unsigned code = 0; code < count; code += length == 5 ? 5 : 1) {
      std::string token;
      for (unsigned i = 0, rest = code; i < length; ++i, rest /= letters) token += alphabet[rest % letters];
      compare<double>(token);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace
