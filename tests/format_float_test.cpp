// format_float.hpp: shortest, fixed and scientific text against std::to_chars where it exists, against the way back
// everywhere, and against vectors made by Python's exact arithmetic.
#include <headrace/format.hpp>
#include <headrace/parse.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "support/c_library.hpp"
#include "support/exact_decimal.hpp"
#include "support/share.hpp"
#include "support/soak.hpp"

#if defined(__cpp_lib_to_chars) || (defined(__GLIBCXX__) && __GNUC__ >= 11)
#define HAS_TO_CHARS 1
#else
#define HAS_TO_CHARS 0
#endif

namespace {

using headrace::float_style;
using headrace::format;

template <class Float>
std::string text_of(Float value) {
  char text[64];
  const auto result = format(text, text + sizeof text, value);
  EXPECT_TRUE(result);
  return std::string(text, result.ptr);
}

template <class Float>
std::string text_of(Float value, float_style style, int precision) {
  std::string text(30000, '?');
  const auto result = format(text.data(), text.data() + text.size(), value, style, precision);
  EXPECT_TRUE(result);
  return std::string(text.data(), result.ptr);
}

template <class Float, class Bits>
Float from_bits(Bits bits) {
  Float value;
  static_assert(sizeof value == sizeof bits);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// The digits of a text without sign, point, exponent and outer zeros.
[[maybe_unused]] std::string digits_of(const std::string& text) {
  std::string digits;
  for (char c : text.substr(0, text.find('e'))) {
    if (c >= '0' && c <= '9' && !(digits.empty() && c == '0')) digits += c;
  }
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  return digits;
}

// Reads back as itself, and has the digits of std::to_chars.
template <class Float>
void check_shortest(Float value) {
  const std::string text = text_of(value);
  const Float back = test::float_from<Float>(text);
  ASSERT_EQ(back, value) << text;
  ASSERT_EQ(std::signbit(back), std::signbit(value)) << text;
#if HAS_TO_CHARS
  char other[64];
  const auto end = std::to_chars(other, other + sizeof other, value, std::chars_format::scientific).ptr;
  const std::string digits = digits_of(std::string(other, end));
  if constexpr (std::numeric_limits<Float>::digits > 64) {  // libstdc++'s last digit is not always the nearest there
    ASSERT_EQ(digits_of(text).size(), digits.size()) << text;
  } else {
    ASSERT_EQ(digits_of(text), digits) << text;
  }
#endif
}

TEST(FormatFloat, Notation) {
  EXPECT_EQ(text_of(0.0), "0");
  EXPECT_EQ(text_of(-0.0), "-0");
  EXPECT_EQ(text_of(1.0), "1");
  EXPECT_EQ(text_of(-1.5), "-1.5");
  EXPECT_EQ(text_of(0.5), "0.5");
  EXPECT_EQ(text_of(0.1), "0.1");
  EXPECT_EQ(text_of(100000.0), "100000");
  EXPECT_EQ(text_of(123456.789), "123456.789");
  EXPECT_EQ(text_of(0.0001), "0.0001");
  EXPECT_EQ(text_of(0.00001), "1e-05");
  EXPECT_EQ(text_of(1e15), "1000000000000000");
  EXPECT_EQ(text_of(1234567890123456.0), "1234567890123456");
  EXPECT_EQ(text_of(9007199254740993.0), "9007199254740992");
  EXPECT_EQ(text_of(1e16), "1e+16");
  EXPECT_EQ(text_of(1.25e20), "1.25e+20");
  EXPECT_EQ(text_of(1e23), "1e+23");
  EXPECT_EQ(text_of(9.999e-100), "9.999e-100");
  EXPECT_EQ(text_of(5e-324), "5e-324");
  EXPECT_EQ(text_of(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
  EXPECT_EQ(text_of(std::numeric_limits<double>::min()), "2.2250738585072014e-308");
  EXPECT_EQ(text_of(0.1f), "0.1");
  EXPECT_EQ(text_of(16777216.0f), "16777216");
  EXPECT_EQ(text_of(123456789e6f), "123456790000000");
  EXPECT_EQ(text_of(std::numeric_limits<float>::max()), "3.4028235e+38");
  EXPECT_EQ(text_of(std::numeric_limits<float>::denorm_min()), "1e-45");
  EXPECT_EQ(text_of(0.1L), "0.1");
  EXPECT_EQ(text_of(-1234.5L), "-1234.5");
  EXPECT_EQ(text_of(0.00025L), "0.00025");
  EXPECT_EQ(text_of(1e300L), "1e+300");
}

// Decimals of up to fifteen digits are their own shortest texts.
TEST(FormatFloat, EveryExponent) {
  for (int exponent = -307; exponent <= 307; ++exponent) {
    if (exponent >= -4 && exponent < 16) continue;  // written without one
    char end[16];
    std::snprintf(end, sizeof end, "e%+03d", exponent);
    for (const std::string digits : {"1", "9", "1.5", "9.9", "1.00000001", "9.99999999999999", "1.00000000000001",
                                     "1.23456789012345", "9.0000001", "1.2345678901234"}) {
      const std::string text = digits + end;
      ASSERT_EQ(text_of(test::float_from<double>(text)), text);
      ASSERT_EQ(text_of(-test::float_from<double>(text)), "-" + text);
      if (digits.size() > 7 || exponent < -37 || exponent > 37) continue;
      ASSERT_EQ(text_of(test::float_from<float>(text)), text);
    }
  }
}

TEST(FormatFloat, NoNumbers) {
  EXPECT_EQ(text_of(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(text_of(-std::numeric_limits<float>::infinity()), "-inf");
  EXPECT_EQ(text_of(std::numeric_limits<long double>::infinity()), "inf");
  EXPECT_EQ(text_of(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(text_of(-std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(text_of(std::numeric_limits<long double>::quiet_NaN()), "nan");
  EXPECT_EQ(text_of(-std::numeric_limits<double>::infinity(), float_style::fixed, 3), "-inf");
  EXPECT_EQ(text_of(std::numeric_limits<float>::quiet_NaN(), float_style::scientific, 3), "nan");
}

TEST(FormatFloat, EveryPowerOfTwoAndItsNeighbours) {
  for (int exponent = -1074; exponent < 1024; ++exponent) {
    const double power = std::ldexp(1.0, exponent);
    for (double value : {power, std::nextafter(power, 0.0), std::nextafter(power, 1e308), -power})
      check_shortest(value);
  }
  for (int exponent = -149; exponent < 128; ++exponent) {
    const float power = std::ldexp(1.0f, exponent);
    for (float value : {power, std::nextafter(power, 0.0f), std::nextafter(power, 1e38f)}) check_shortest(value);
  }
}

TEST(FormatFloat, EveryPowerOfTenAndItsNeighbours) {
  for (int exponent = -323; exponent <= 308; ++exponent) {
    const double power = test::float_from<double>("1e" + std::to_string(exponent));
    for (double value : {power, std::nextafter(power, 0.0), std::nextafter(power, 1e308)}) check_shortest(value);
  }
}

TEST(FormatFloat, RandomBits) {
  std::mt19937_64 random(11);
  for (int i = 0; i < test::share_of(1000000); ++i) {
    const double wide = from_bits<double>(random());
    if (std::isfinite(wide)) check_shortest(wide);
    const float narrow = from_bits<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(narrow)) check_shortest(narrow);
  }
}

TEST(FormatFloat, NumbersAsPeopleWriteThem) {
  std::mt19937_64 random(12);
  for (int i = 0; i < test::share_of(300000); ++i) {
    const auto whole = static_cast<std::int64_t>(random() >> random() % 64);
    check_shortest(static_cast<double>(whole));
    check_shortest(static_cast<double>(whole % 1000000) / 1000);
    check_shortest(static_cast<float>(whole % 1000000) / 1000);
    check_shortest(static_cast<double>(whole % 100000) / 64);
  }
}

TEST(FormatFloat, LongDouble) {
  std::mt19937_64 random(13);
  for (int i = 0; i < 3000; ++i) {
    const long double fraction = static_cast<long double>(random()) + static_cast<long double>(random()) * 0x1p-64L;
    check_shortest(std::ldexp(fraction, static_cast<int>(random() % 200) - 100));
    check_shortest(-fraction);
  }
  using limits = std::numeric_limits<long double>;
  for (int exponent = limits::min_exponent; exponent < limits::max_exponent; exponent += 331) {
    check_shortest(std::ldexp(1.0L, exponent));
    check_shortest(std::ldexp(static_cast<long double>(random()), exponent - 64));
  }
  for (long double value : {limits::max(), limits::min(), limits::denorm_min()}) check_shortest(value);
}

TEST(FormatFloat, PrecisionRoundsTheExactValue) {
  EXPECT_EQ(text_of(2.5, float_style::fixed, 0), "2");
  EXPECT_EQ(text_of(3.5, float_style::fixed, 0), "4");
  EXPECT_EQ(text_of(0.5, float_style::fixed, 0), "0");
  EXPECT_EQ(text_of(-0.0, float_style::fixed, 2), "-0.00");
  EXPECT_EQ(text_of(9.9999, float_style::fixed, 2), "10.00");
  EXPECT_EQ(text_of(0.125, float_style::fixed, 2), "0.12");
  EXPECT_EQ(text_of(0.1, float_style::fixed, 20), "0.10000000000000000555");
  EXPECT_EQ(text_of(1e22, float_style::fixed, 1), "10000000000000000000000.0");
  EXPECT_EQ(text_of(12345.678, float_style::scientific, 3), "1.235e+04");
  EXPECT_EQ(text_of(0.0, float_style::scientific, 2), "0.00e+00");
  EXPECT_EQ(text_of(9.9996, float_style::scientific, 3), "1.000e+01");
  EXPECT_EQ(text_of(5e-324, float_style::scientific, 0), "5e-324");
  EXPECT_EQ(text_of(1.0, float_style::fixed, 25000), "1." + std::string(25000, '0'));
}

// Random bits, decimals, ties. glibc's printf is exact, and so the proof of what is compared with elsewhere, too.
TEST(FormatFloat, PrecisionAgainstExactDigits) {
  std::mt19937_64 random(14);
  const auto check = [](long double value, auto number, int precision) {
    for (float_style style : {float_style::fixed, float_style::scientific}) {
      const bool fixed = style == float_style::fixed;
      const std::string exact = fixed ? test::exact_fixed(value, precision) : test::exact_scientific(value, precision);
      ASSERT_EQ(text_of(number, style, precision), exact);
#if defined(__GLIBC__)
      std::string printed(6000, '\0');
      const int size = std::snprintf(printed.data(), printed.size(), fixed ? "%.*Lf" : "%.*Le", precision, value);
      ASSERT_EQ(exact, printed.substr(0, static_cast<std::size_t>(size)));
#endif
    }
  };
  for (int i = 0; i < test::share_of(20000); ++i) {
    const auto precision = static_cast<int>(random() % 25);
    const double wide = from_bits<double>(random());
    if (std::isfinite(wide)) check(wide, wide, precision);
    if (std::isfinite(wide) && i % 50 == 0) check(wide, wide, static_cast<int>(random() % 1200));
    const float narrow = from_bits<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(narrow)) check(narrow, narrow, precision);
    // Through memory: x87 keeps more digits in a register.
    const volatile double decimal = static_cast<double>(static_cast<std::int64_t>(random() % 2000000) - 1000000) / 1000;
    check(decimal, decimal, precision);
    const double tie = static_cast<double>(random() % 100000) / 64;
    check(tie, tie, precision % 7);
    // Next to the middle of two decimals, or in it.
    const int size = 1 + static_cast<int>(random() % 16);
    const std::string middle =
        std::to_string(random() % 9999999999999999u + 1).substr(0, static_cast<std::size_t>(size));
    const std::string power = std::to_string(static_cast<int>(random() % 60) - 40);
    const double near_tie = std::strtod((middle + "5e" + power).c_str(), nullptr);
    check(near_tie, near_tie, size - i % 2);
    const long double extended = std::ldexp(static_cast<long double>(random()), static_cast<int>(random() % 400) - 264);
    check(extended, extended, precision);
  }
}

// Made by tests/data/float_vectors.py from exact integers: bits, shortest text, fixed and scientific with a precision.
TEST(FormatFloat, VectorsOfPython) {
  std::ifstream file(HEADRACE_TEST_DATA "/float_vectors.tsv");
  ASSERT_TRUE(file) << "no " HEADRACE_TEST_DATA "/float_vectors.tsv";
  std::string line;
  int lines = 0;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::uint64_t bits;
    int precision;
    std::string shortest, fixed, scientific;
    fields >> std::hex >> bits >> std::dec >> shortest >> precision >> fixed >> scientific;
    ASSERT_TRUE(fields) << line;
    const double value = from_bits<double>(bits);
    ASSERT_EQ(text_of(value), shortest);
    ASSERT_EQ(text_of(value, float_style::fixed, precision), fixed) << line;
    ASSERT_EQ(text_of(value, float_style::scientific, precision), scientific) << line;
    ++lines;
  }
  EXPECT_EQ(lines, 500);
}

TEST(FormatFloat, SaysWhenTheRoomIsTooSmall) {
  const double value = -12345.678e-9;
  for (std::size_t room = 0; room < 40; ++room) {
    std::string text(64, '#');
    const auto result = format(text.data(), text.data() + room, value);
    const std::string expected = "-1.2345678e-05";
    ASSERT_EQ(result.ec == std::errc{}, room >= expected.size());
    if (result) {
      ASSERT_EQ(std::string(text.data(), result.ptr), expected);
    }
    ASSERT_EQ(text.substr(room), std::string(64 - room, '#'));
    for (float_style style : {float_style::fixed, float_style::scientific}) {
      const std::string whole = text_of(value, style, 9);
      text.assign(64, '#');
      const auto styled = format(text.data(), text.data() + room, value, style, 9);
      ASSERT_EQ(styled.ec == std::errc{}, room >= whole.size());
      ASSERT_EQ(text.substr(room), std::string(64 - room, '#'));
    }
  }
  char text[8];
  EXPECT_EQ(format(text, text + 8, 1.0, float_style::fixed, -1).ec, std::errc::invalid_argument);
}

// Floats in a stride that comes to all of them: to text and back, by headrace and by the C library.
TEST(format_float, soak) {
  test::soak soak("thousand floats to text and back");
  constexpr std::uint32_t stride = 2654435761u;  // odd
  for (std::uint32_t bits = soak.seed(); soak.goes_on() && !HasFailure();) {
    for (int i = 0; i < 1000; ++i, bits += stride) {
      const float value = from_bits<float>(bits);
      if (!std::isfinite(value)) continue;
      const std::string text = text_of(value);
      float back = 0;
      const auto [end, code] = headrace::parse(text.data(), text.data() + text.size(), back);
      const float library = std::strtof(text.c_str(), nullptr);
      const bool good = code == std::errc{} && end == text.data() + text.size() &&
                        std::memcmp(&back, &value, sizeof value) == 0 &&
                        std::memcmp(&library, &value, sizeof value) == 0;
      ASSERT_TRUE(good) << "bits " << bits << ": " << text;
    }
  }
}

}  // namespace
