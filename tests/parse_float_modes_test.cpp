// parse() and a reader give the same numbers in every rounding mode, and in a program that was compiled with
// -ffast-math, whose processor takes subnormal numbers for zero. So no number is compared here but by its bits.
#include <headrace/reader.hpp>

#include <gtest/gtest.h>

#include <cfenv>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace {

template <class Float>
auto bits_of(const Float& value) {
  std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t> bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

class rounding {
 public:
  explicit rounding(int mode) { std::fesetround(mode); }
  ~rounding() { std::fesetround(FE_TONEAREST); }
  rounding(const rounding&) = delete;
  rounding& operator=(const rounding&) = delete;
};

// As parse(), a bulk read, and reads that take turns with words convert them.
template <class Float>
std::vector<decltype(bits_of(Float()))> convert(const std::vector<std::string>& tokens, int mode) {
  std::string text, turns;
  for (const std::string& token : tokens) {
    text += token + ' ';
    turns += token + " x ";
  }
  std::vector<Float> values(3 * tokens.size());
  auto to = values.begin();
  const rounding changed(mode);
  for (const std::string& token : tokens) {
    EXPECT_EQ(headrace::parse(token.data(), token.data() + token.size(), *to++).ec, std::errc{}) << token;
  }
  headrace::reader bulk = headrace::reader::from(text);
  headrace::reader each = headrace::reader::from(turns);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    char x;
    each >> *to++ >> x;
  }
  std::vector<Float> rest(tokens.size());
  bulk.read(rest);
  std::memcpy(&*to, rest.data(), rest.size() * sizeof(Float));
  std::vector<decltype(bits_of(Float()))> all;
  for (const Float& value : values) all.push_back(bits_of(value));
  return all;
}

std::vector<std::string> some_tokens() {
  std::mt19937_64 random(42);
  std::vector<std::string> tokens = {"0.1", "-0.1", "1e22", "123456.789", "0.3", "-1e-5", "9007199254740993", "1.5"};
  for (int i = 0; i < 3000; ++i) {
    std::string token = std::to_string(random() % 1000000) + "." + std::to_string(random() % 100000);
    if (i % 2 != 0) token.insert(0, "-");
    if (i % 7 == 0) token += "e-2";
    tokens.push_back(std::move(token));
  }
  return tokens;
}

template <class Float>
class parse_float_modes : public ::testing::Test {};
using floats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(parse_float_modes, floats, );

TYPED_TEST(parse_float_modes, round_alike) {
  const auto tokens = some_tokens();
  const auto expected = convert<TypeParam>(tokens, FE_TONEAREST);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    ASSERT_EQ(expected[i], expected[i + tokens.size()]) << tokens[i];
    ASSERT_EQ(expected[i], expected[i + 2 * tokens.size()]) << tokens[i];
  }
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) EXPECT_EQ(convert<TypeParam>(tokens, mode), expected);
}

TEST(parse_float_modes, knows_a_few_by_their_bits) {
  const std::vector<std::string> doubles = {"0.1",  "5e-324", "-5e-324", "2.2250738585072011e-308",
                                            "-0.0", "inf",    "-inf"};
  const std::vector<std::uint64_t> bits = {
      0x3fb999999999999a, 1, 0x8000000000000001, 0x000fffffffffffff, 0x8000000000000000, 0x7ff0000000000000,
      0xfff0000000000000};
  const auto found = convert<double>(doubles, FE_TONEAREST);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], bits[i % bits.size()]) << doubles[i % bits.size()];

  const std::vector<std::string> floats_ = {"0.1", "1e-45", "1.1754942e-38"};
  const std::vector<std::uint32_t> float_bits = {0x3dcccccd, 1, 0x007fffff};
  const auto narrow = convert<float>(floats_, FE_TONEAREST);
  for (std::size_t i = 0; i < narrow.size(); ++i) EXPECT_EQ(narrow[i], float_bits[i % 3]) << floats_[i % 3];
}

TEST(parse_float_modes, out_of_range_all_the_same) {
  for (const char* token : {"1e-324", "1e400", "-1e400", "2e-400"}) {
    double value = 1;
    EXPECT_EQ(headrace::parse(token, token + std::strlen(token), value).ec, std::errc::result_out_of_range) << token;
    EXPECT_EQ(bits_of(value), 0x3ff0000000000000u);
  }
  for (const char* token : {"1e5000", "1.1897314953572317650857593266280071e4932", "1e-5000"}) {
    if (sizeof(long double) == 8) continue;
    long double value = 1;
    EXPECT_EQ(headrace::parse(token, token + std::strlen(token), value).ec, std::errc::result_out_of_range) << token;
  }
}

}  // namespace
