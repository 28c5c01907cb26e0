// parse() of integers and booleans: against std::from_chars, against vectors made by exact arithmetic, and every text
// of a few bytes against the model.
#include <headrace/detail/parse_tokens.hpp>

#include <gtest/gtest.h>

#include <charconv>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/convert.hpp"
#include "support/model.hpp"
#include "support/share.hpp"

namespace {

template <class T>
class parse_integers : public ::testing::Test {};
using standard_integers = ::testing::Types<signed char, unsigned char, short, unsigned short, int, unsigned, long,
                                           unsigned long, long long, unsigned long long>;
TYPED_TEST_SUITE(parse_integers, standard_integers, );

// A copy on the heap that ends where the text ends: a sanitizer sees a read past it.
struct exact_copy {
  explicit exact_copy(const std::string& text) : bytes(text.begin(), text.end()) { bytes.shrink_to_fit(); }
  const char* first() const { return bytes.data(); }
  const char* last() const { return bytes.data() + bytes.size(); }
  std::vector<char> bytes;
};

// std::from_chars knows no plus, and no minus before an unsigned number; apart from these two both must agree.
template <class T>
void compare_with_from_chars(const std::string& text) {
  const exact_copy copy(text);
  T ours = 42, theirs = 42;
  const headrace::parse_result got = headrace::parse(copy.first(), copy.last(), ours);
  const std::from_chars_result expected = std::from_chars(copy.first(), copy.last(), theirs);
  ASSERT_EQ(got.ec, expected.ec) << text;
  ASSERT_EQ(got.ptr, expected.ptr) << text;
  ASSERT_EQ(ours, theirs) << text;
}

TYPED_TEST(parse_integers, edges_as_from_chars) {
  using limits = std::numeric_limits<TypeParam>;
  for (int zeros : {0, 1, 7, 8, 9, 30}) {
    const std::string lead(static_cast<std::size_t>(zeros), '0');
    for (const char* tail : {"", " ", "x", ".5", "\n12345678", "-", "00000000x", "0", "9"}) {
      compare_with_from_chars<TypeParam>(lead + std::to_string(limits::max()) + tail);
      compare_with_from_chars<TypeParam>(lead + std::to_string(static_cast<unsigned long long>(limits::max()) + 1) +
                                         tail);
      if (std::is_signed<TypeParam>::value) {
        const std::string magnitude_of_min = std::to_string(limits::min()).substr(1);
        compare_with_from_chars<TypeParam>("-" + lead + magnitude_of_min + tail);
        compare_with_from_chars<TypeParam>("-" + lead +
                                           std::to_string(static_cast<unsigned long long>(limits::max()) + 2) + tail);
      }
    }
  }
}

TYPED_TEST(parse_integers, random_as_from_chars) {
  std::mt19937_64 random(5);
  for (int i = 0; i < test::share_of(200000); ++i) {
    std::string text = std::to_string(random() >> (random() % 64));
    if (std::is_signed<TypeParam>::value && random() % 3 == 0) text.insert(0, "-");
    if (random() % 4 == 0) text += "0123456789+-.e x\n"[random() % 17];
    if (random() % 16 == 0)
      text.insert(static_cast<std::size_t>(random()) % text.size(), 1, static_cast<char>(random()));
    if (text[0] == '+' || (std::is_unsigned<TypeParam>::value && text[0] == '-')) continue;
    compare_with_from_chars<TypeParam>(text);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(parse_integers, every_short_text_as_a_token) {
  constexpr char alphabet[] = {'0', '1', '9', '-', '+', 'x', '/', ':', '\0', '\xff'};
  constexpr unsigned letters = sizeof alphabet;
  for (unsigned length = 1; length <= 4; ++length) {
    unsigned count = 1;
    for (unsigned i = 0; i < length; ++i) count *= letters;
    for (unsigned code = 0; code < count; ++code) {
      std::string token;
      for (unsigned i = 0, rest = code; i < length; ++i, rest /= letters) token += alphabet[rest % letters];
      const exact_copy copy(token);
      TypeParam ours = 42, expected = 42;
      const std::errc code_ours = headrace::detail::parse_token(copy.first(), copy.last(), ours);
      ASSERT_EQ(code_ours, test::model::parse(token, expected)) << token;
      ASSERT_EQ(ours, expected) << token;
    }
  }
}

// The way that the reader takes, with room before and after the token that holds anything.
TYPED_TEST(parse_integers, tokens_in_a_buffer) {
  std::mt19937_64 random(6);
  for (int i = 0; i < test::share_of(100000); ++i) {
    std::string token;
    const std::size_t length = 1 + static_cast<std::size_t>(random() % 24);
    while (token.size() < length) token += static_cast<char>('0' + random() % 10);
    if (random() % 2 == 0) token[0] = "-+0"[random() % 3];
    if (random() % 3 == 0) token[static_cast<std::size_t>(random()) % length] = "-+x/:.\0\xff"[random() % 8];
    const std::string buffer =
        std::string(64, static_cast<char>('0' + random() % 10)) + token + " 12345678901234567890";
    TypeParam ours = 42, expected = 42;
    const char* const first = buffer.data() + 64;
    const std::errc code = headrace::detail::parse_token_in_buffer(first, first + token.size(), ours);
    ASSERT_EQ(code, test::model::parse(token, expected)) << token;
    ASSERT_EQ(ours, expected) << token;
    ours = 42;  // between tokens of other types some are left to others
    const bool taken = headrace::detail::parse_token_in_turn(first, first + token.size(), ours);
    ASSERT_TRUE(!taken || code == std::errc{}) << token;
    ASSERT_EQ(ours, taken ? expected : TypeParam(42)) << token;
  }
}

template <class T>
void expect(const std::string& text, std::errc code, std::size_t length, T value) {
  const exact_copy copy(text);
  T parsed = T(1);
  const headrace::parse_result result = headrace::parse(copy.first(), copy.last(), parsed);
  EXPECT_EQ(result.ec, code) << text;
  EXPECT_EQ(result.ptr - copy.first(), static_cast<std::ptrdiff_t>(length)) << text;
  EXPECT_TRUE(parsed == value) << text;
}

constexpr std::errc good{};
constexpr std::errc malformed = std::errc::invalid_argument;
constexpr std::errc too_large = std::errc::result_out_of_range;

TEST(parse, signs) {
  expect<int>("+5", good, 2, 5);
  expect<int>("+-5", malformed, 0, 1);
  expect<int>("-", malformed, 0, 1);
  expect<int>("", malformed, 0, 1);
  expect<int>(" 5", malformed, 0, 1);
  expect<unsigned>("-0", good, 2, 0);
  expect<unsigned>("-1", too_large, 2, 1);
  expect<unsigned char>("-0000000000000000000000000x", good, 26, 0);
}

TEST(parse, ends_after_what_is_out_of_range) {
  expect<int>(std::string(1000, '9') + "x", too_large, 1000, 1);
  expect<std::uint64_t>("184467440737095516150 ", too_large, 21, 1);
  expect<int>(std::string(100000, '0') + "42", good, 100002, 42);
}

TEST(parse, booleans) {
  expect<bool>("0", good, 1, false);
  expect<bool>("0001", good, 4, true);
  expect<bool>("2", too_large, 1, true);
  expect<bool>("256", too_large, 3, true);
  expect<bool>("-1", too_large, 2, true);
  expect<bool>("true", malformed, 0, true);
}

#if defined(__SIZEOF_INT128__)

// data/integers.tsv, by tools/generate_integers.py: bits, text, then the value as 32 hexadecimal digits of two's
// complement, or "out_of_range".
template <class T>
void check_vector(const std::string& text, const std::string& expected) {
  headrace::uint128 bits = 0;
  for (char digit : expected == "out_of_range" ? std::string() : expected) {
    bits = bits * 16 + static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
  }
  if (expected == "out_of_range") return expect<T>(text, too_large, text.size(), T(1));
  expect<T>(text, good, text.size(), static_cast<T>(bits));
}

TEST(parse, vectors_of_exact_integers) {
  std::ifstream file(HEADRACE_TEST_DATA "/integers.tsv");
  int count = 0;
  for (std::string type, text, expected; file >> type;) {
    if (type[0] == '#') {
      std::getline(file, type);
      continue;
    }
    file >> text >> expected;
    if (type == "i64") check_vector<std::int64_t>(text, expected);
    if (type == "u64") check_vector<std::uint64_t>(text, expected);
    if (type == "i128") check_vector<headrace::int128>(text, expected);
    if (type == "u128") check_vector<headrace::uint128>(text, expected);
    ++count;
  }
  EXPECT_GE(count, 1000);
}

// Tokens that end at both ends of their memory: sixteen digits at a time read nothing else.
template <class T>
void check_long_tokens() {
  std::mt19937_64 random(8);
  for (int i = 0; i < test::share_of(30000); ++i) {
    std::string token;
    const std::size_t length = 15 + static_cast<std::size_t>(random() % 27);
    while (token.size() < length) token += static_cast<char>('0' + random() % 10);
    if (random() % 2 == 0) token[0] = "-+0"[random() % 3];
    if (random() % 8 == 0) token[static_cast<std::size_t>(random()) % length] = "-+x/:.\0\xff"[random() % 8];
    const exact_copy copy(token);
    T ours = 42, expected = 42;
    ASSERT_EQ(headrace::detail::parse_token(copy.first(), copy.last(), ours), test::model::parse(token, expected))
        << token;
    ASSERT_TRUE(ours == expected) << token;
  }
}
TEST(parse, long_tokens_of_128_bits) {
  check_long_tokens<headrace::int128>();
  check_long_tokens<headrace::uint128>();
}

#endif

// In every base against std::from_chars, which knows no plus and no sign of unsigned types.
TYPED_TEST(parse_integers, in_a_base_as_the_standard_does) {
  std::mt19937 random(3);
  const std::string letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-+./:@[`{\x80\xff";
  for (int base = 2; base <= 36; ++base) {
    for (int round = 0; round < test::share_of(3000); ++round) {
      std::string text(random() % 14, '0');
      const std::size_t most = random() % 8 == 0 ? letters.size() : static_cast<std::size_t>(base);
      for (char& letter : text) letter = letters[random() % most];
      if (std::is_signed_v<TypeParam> && random() % 2 == 0) text.insert(0, 1, '-');
      if (!text.empty() && (text[0] == '+' || (text[0] == '-' && !std::is_signed_v<TypeParam>))) continue;
      const exact_copy copy(text);
      TypeParam value{1}, expected{1};
      const auto result = headrace::parse(copy.first(), copy.last(), value, base);
      const auto wanted = std::from_chars(copy.first(), copy.last(), expected, base);
      ASSERT_EQ(result.ptr, wanted.ptr) << text << " in base " << base;
      ASSERT_EQ(result.ec, wanted.ec) << text << " in base " << base;
      ASSERT_EQ(value, expected) << text << " in base " << base;
    }
  }
  TypeParam value{1};
  const char* const text = "10";
  for (const int base : {-1, 0, 1, 37}) {
    const auto result = headrace::parse(text, text + 2, value, base);
    EXPECT_EQ(result.ec, std::errc::invalid_argument);
    EXPECT_EQ(result.ptr, text);
  }
  EXPECT_EQ(value, TypeParam{1});
}

}  // namespace
