// The kernels' conversion of indexed tokens to floats and doubles, against parse() of one token, which
// parse_float_test.cpp compares with exact arithmetic: ten million tokens of all shapes, the places between two numbers
// among them, and every mixture of good and bad ones in a group.
#include <headrace/detail/number_functions.hpp>
#include <headrace/format.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "support/convert.hpp"
#include "support/kernels.hpp"
#include "support/share.hpp"

namespace {

using headrace::detail::convert_floats;
using test::window;

// A whole token by parse(); false: it is none, or out of range.
template <class Float>
bool parses(const char* first, const char* last, Float& value) {
  const auto result = headrace::parse(first, last, value);
  return result.ec == std::errc{} && result.ptr == last;
}

// Converts all tokens, restarting past each that is refused, and compares bits.
template <class Float>
void compare(window& w) {
  const char* const base = w.close();
  constexpr Float untouched = -77;
  std::vector<Float> values(w.size(), untouched);
  for (std::size_t i = 0; i < w.size(); ++i) {
    const std::size_t left = w.size() - i;
    const std::size_t done =
        convert_floats<Float>(base, w.edges.data() + 2 * i, left, reinterpret_cast<char*>(values.data() + i));
    ASSERT_LE(done, left);
    const auto rest = values.begin() + static_cast<std::ptrdiff_t>(i + done);
    ASSERT_EQ(std::count(rest, values.end(), untouched), values.end() - rest) << "after " << done;
    for (const std::size_t end = i + done; i < end; ++i) {
      Float expected = 0;
      ASSERT_TRUE(parses(base + w.edges[2 * i], base + w.edges[2 * i + 1], expected)) << w.word(i);
      ASSERT_EQ(std::memcmp(&values[i], &expected, sizeof expected) == 0 || std::isnan(expected), true)
          << w.word(i) << ": " << values[i] << ", expected " << expected;
    }
    Float expected = 0;
    if (i < w.size()) {
      ASSERT_FALSE(parses(base + w.edges[2 * i], base + w.edges[2 * i + 1], expected)) << w.word(i) << " was refused";
    }
  }
}

// Bits in hexadecimal, or - where a number is refused.
template <class Float, class Bits>
void expect_bits(const std::string& text, const std::string& bits) {
  Float value = 0;
  ASSERT_EQ(parses(text.data(), text.data() + text.size(), value), bits != "-") << text;
  Bits found;
  std::memcpy(&found, &value, sizeof found);
  if (bits != "-") {
    EXPECT_EQ(found, std::stoull(bits, nullptr, 16)) << text << ", " << bits;
  }
}

// What others found out about texts that are hard to round.
TEST(convert_floats, published_numbers) {
  std::ifstream file(HEADRACE_TEST_DATA "/published_floats.tsv");
  window w;
  for (std::string of_float, of_double, text; file >> of_float;) {
    if (of_float[0] == '#') {
      std::getline(file, text);
      continue;
    }
    file >> of_double >> text;
    expect_bits<float, std::uint32_t>(text, of_float);
    expect_bits<double, std::uint64_t>(text, of_double);
    w.add(text);
  }
  EXPECT_GE(w.size(), 1400u);
  compare<float>(w);
  compare<double>(w);
}

class token_maker {
 public:
  explicit token_maker(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }
  static constexpr std::size_t kinds = 9;

  std::string make(std::size_t kind) {
    const std::string sign = below(3) == 0 ? "-" : "";
    switch (kind) {
      case 0:
        return sign + digits(below(4)) + '.' + digits(1 + below(6));
      case 1:
        return sign + digits(1 + below(20));
      case 2:
        return sign + digits(below(12)) + '.' + digits(1 + below(19));
      case 3:
        return shortest();
      case 4:
        return sign + digits(1) + '.' + digits(below(18)) + exponent(below(2) != 0 ? 40 : 330);
      case 5:
        return sign + digits(1 + below(5)) + exponent(below(2) != 0 ? 24 : 345);
      case 6:
        return sign + between(53);
      case 7:
        return sign + between(24);
      default:
        return damaged();
    }
  }

 private:
  std::string digits(std::size_t count) {
    std::string text;
    std::uint64_t bits = random_();
    for (std::size_t i = 0; i < count; ++i, bits /= 10) {
      if (bits == 0) bits = random_();
      text += static_cast<char>('0' + bits % 10);
    }
    return text;
  }
  std::string exponent(std::size_t max) {
    static const char* const signs[] = {"e", "e-", "e+", "E", "E-"};
    return signs[below(5)] + std::to_string(below(max));
  }
  std::string shortest() {
    const std::uint64_t bits = random_() & 0xffefffffffffffff;
    double value;
    std::memcpy(&value, &bits, sizeof value);
    char text[32];
    return std::string(text, headrace::format(text, text + sizeof text, value).ptr);
  }
  // An odd number of one bit more than a format holds lies between two of its numbers; so does a half or a quarter of
  // it. What is next to it does not.
  std::string between(int digits_of_format) {
    const std::uint64_t odd = (random_() >> (63 - digits_of_format)) | std::uint64_t{1} << digits_of_format | 1;
    const std::uint64_t near = odd + below(3) - 1;
    static const char* const quarters[] = {"", ".25", ".5", ".75", ".0000", ".5000000001"};
    return std::to_string(below(2) == 0 ? near : near >> (1 + below(2))) + quarters[below(6)];
  }
  std::string damaged() {
    static const char bytes[] = "0123456789.-e0123456789.+E0123456789x";
    std::string text;
    for (std::size_t i = below(27); i > 0; --i) text += bytes[below(sizeof bytes - 1)];
    return text;
  }

  std::mt19937_64 random_;
};

template <class Float>
class convert_floats_of : public ::testing::Test {};
using types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(convert_floats_of, types, );

// Nine in ten groups are of one kind, as files are.
TYPED_TEST(convert_floats_of, all_shapes) {
  const std::size_t count = 5'000'000 / test::share();
  test::for_each_kernel([count] {
    token_maker maker(sizeof(TypeParam));
    for (std::size_t done = 0; done < count && !testing::Test::HasFatalFailure();) {
      window w;
      while (w.size() < 250) {
        const std::size_t kind = maker.below(token_maker::kinds), group = maker.below(24);
        for (std::size_t i = 0; i < group; ++i) w.add(maker.make(maker.below(40) == 0 ? maker.below(9) : kind));
      }
      done += w.size();
      compare<TypeParam>(w);
    }
  });
}

TYPED_TEST(convert_floats_of, special_tokens_in_every_lane) {
  test::for_each_kernel([] {
    std::vector<std::string> words = test::words_of(
        "- . -. +1 1. .5 -.5 1..2 1.2.3 1.23456789.1 --1 1- 1e 1e+ e5 -e5 1e5e5 1ee5 1e5.5 nan -inf infinity "
        "0 -0 0.0 -0.000 0e400 1e400 1e-400 4.9e-324 1.7976931348623157e308 1.7976931348623159e308 "
        "3.4028236e38 1e-45 1.1754943508222875e-38 18446744073709551616 99999999999999999999 "
        "00000000000000000000001.5 0.00000000000000000000001 9007199254740993 9007199254740993.0 16777217 "
        "16777219 123456789012345678901234567890.5 1e00000000005 12345678. .12345678 1234567.8");
    words.emplace_back();
    for (const std::string& word : words) {
      for (const char* other : {"1", "-12.5", "0.12345678901234567", "1e5", "-1.25e-17"}) {
        for (std::size_t lane = 0; lane < 8; ++lane) {
          window w;
          for (std::size_t i = 0; i < 8; ++i) w.add(i == lane ? word : other, i % 2 != 0 ? ' ' : ',');
          compare<TypeParam>(w);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  });
}

// All tokens at once: those that are no numbers are noted, with the reason.
TYPED_TEST(convert_floats_of, those_that_are_refused_are_noted_and_the_others_converted) {
  using headrace::detail::refusals;
  test::for_each_kernel([] {
    token_maker maker(5 + sizeof(TypeParam));
    for (int round = 0; round < 2000 && !testing::Test::HasFatalFailure(); ++round) {
      window w;
      const std::size_t kind = maker.below(token_maker::kinds - 1), damage = 1 + maker.below(20);
      const std::size_t count = 1 + maker.below(45);
      while (w.size() < count) {
        std::string word = maker.make(kind);
        if (!word.empty() && maker.below(damage) == 0) word[maker.below(word.size())] = "xxx-.e+nI:/"[maker.below(11)];
        w.add(word);
      }
      const char* const base = w.close();
      std::vector<TypeParam> values(count);
      std::vector<std::uint16_t> noted(count + refusals::padding), expected;
      refusals refused{noted.data(), noted.data()};
      ASSERT_EQ(
          convert_floats<TypeParam>(base, w.edges.data(), count, reinterpret_cast<char*>(values.data()), &refused),
          count);
      for (std::size_t i = 0; i < count; ++i) {
        const char *const first = base + w.edges[2 * i], *const last = base + w.edges[2 * i + 1];
        TypeParam value = 0;
        const auto result = headrace::parse(first, last, value);
        if (result.ec == std::errc::invalid_argument || result.ptr != last) {
          expected.push_back(static_cast<std::uint16_t>(i | refusals::malformed));
        } else if (result.ec != std::errc{}) {
          expected.push_back(static_cast<std::uint16_t>(i));
        } else {
          ASSERT_TRUE(std::memcmp(&values[i], &value, sizeof value) == 0 || std::isnan(value)) << w.word(i);
        }
      }
      ASSERT_EQ(std::vector<std::uint16_t>(refused.first, refused.next), expected);
    }
  });
}

// Kernels that convert one token at a time find it in the same pass: the same values and edges, up to the first token
// that is none, or as many as there is room for. Runs of short tokens and of long ones, and both by turns; more
// whitespace than one byte; in every rounding mode.
TYPED_TEST(convert_floats_of, scan) {
  test::for_each_kernel([] {
    token_maker maker(3 + sizeof(TypeParam));
    std::size_t taken = 0;
    for (int round = 0; round < 20000 && !testing::Test::HasFatalFailure(); ++round) {
      window w;
      const std::size_t kind = maker.below(token_maker::kinds), others = maker.below(2) == 0 ? 2 : 40;
      const std::size_t blanks = maker.below(4) == 0 ? 3 : 1;
      if (maker.below(8) == 0) w.padded += " \n";
      while (w.size() < 40) {
        const std::string word = maker.make(maker.below(others) == 0 ? maker.below(others == 2 ? 8 : 9) : kind);
        if (word.empty()) continue;
        w.add(word, " \n\t"[maker.below(3)]);
        w.padded.append(maker.below(blanks), ' ');
      }
      const std::size_t size = w.padded.size() - 64, room = maker.below(3) == 0 ? maker.below(41) : w.size();
      const char* const base = w.close();
      std::vector<TypeParam> values(w.size());
      std::vector<std::uint16_t> edges(w.edges.size());
      std::size_t done = 0;
      const int modes[] = {FE_TONEAREST, FE_TONEAREST, FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
      std::fesetround(modes[maker.below(6)]);
      const bool scans = headrace::detail::scan_floats<TypeParam>(base, size, edges.data(),
                                                                  reinterpret_cast<char*>(values.data()), room, done);
      std::fesetround(FE_TONEAREST);
      if (!scans) return;  // a kernel with two stages
      taken += done;
      ASSERT_LE(done, room);
      for (std::size_t i = 0; i <= done && i < room; ++i) {
        TypeParam expected = 0;
        const bool good = parses(base + w.edges[2 * i], base + w.edges[2 * i + 1], expected);
        ASSERT_EQ(good, i < done) << w.word(i);
        if (!good) break;
        ASSERT_TRUE(std::memcmp(&values[i], &expected, sizeof expected) == 0 || std::isnan(expected)) << w.word(i);
        ASSERT_EQ(edges[2 * i], w.edges[2 * i]);
        ASSERT_EQ(edges[2 * i + 1], w.edges[2 * i + 1]);
      }
    }
    EXPECT_GT(taken, 100000u);
  });
}

TYPED_TEST(convert_floats_of, every_rounding_mode) {
  test::for_each_kernel([] {
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      token_maker maker(7);
      for (int round = 0; round < 200 && !testing::Test::HasFatalFailure(); ++round) {
        window w;
        for (std::size_t i = 0; i < 64; ++i) w.add(maker.make(i / 8));
        std::fesetround(mode);
        compare<TypeParam>(w);
        std::fesetround(FE_TONEAREST);
      }
    }
  });
}

}  // namespace
