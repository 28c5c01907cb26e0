// utf.hpp: every code point there and back, and what is not a code point.
#include <headrace/utf.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

template <class Unit>
std::string utf8(const std::basic_string<Unit>& text) {
  std::string result(text.size() * headrace::utf8_per_unit<Unit>, '\0');
  char* end = headrace::to_utf8(text.data(), text.data() + text.size(), result.data());
  result.resize(static_cast<std::size_t>(end - result.data()));
  return result;
}

std::u16string utf16(const std::string& text) {
  std::u16string result(text.size(), u'\0');
  const auto done = headrace::to_utf16(text.data(), text.data() + text.size(), result.data());
  EXPECT_EQ(done.read, text.data() + text.size());
  result.resize(static_cast<std::size_t>(done.written - result.data()));
  return result;
}

// By the table of the standard (Unicode 15, table 3-6), bit by bit.
std::string reference(std::uint32_t code) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
  if (code <= 0x7f) return {byte(code)};
  if (code <= 0x7ff) return {byte(0xc0 + code / 64), byte(0x80 + code % 64)};
  if (code <= 0xffff) return {byte(0xe0 + code / 4096), byte(0x80 + code / 64 % 64), byte(0x80 + code % 64)};
  return {byte(0xf0 + code / 262144), byte(0x80 + code / 4096 % 64), byte(0x80 + code / 64 % 64),
          byte(0x80 + code % 64)};
}

std::u16string pair_of(std::uint32_t code) {
  if (code < 0x10000) return {static_cast<char16_t>(code)};
  return {static_cast<char16_t>(0xd800 + (code - 0x10000) / 0x400),
          static_cast<char16_t>(0xdc00 + (code - 0x10000) % 0x400)};
}

const std::string replacement = "\xef\xbf\xbd";

TEST(Utf, EveryCodePointBothWays) {
  for (std::uint32_t code = 0; code <= 0x10ffff; ++code) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const std::string expected = reference(code);
    ASSERT_EQ(utf8(std::u32string(1, static_cast<char32_t>(code))), expected) << code;
    ASSERT_EQ(utf8(pair_of(code)), expected) << code;
    ASSERT_EQ(utf16(expected), pair_of(code)) << code;
  }
}

TEST(Utf, SurrogatesWithoutTheirPartnerAreReplaced) {
  for (std::uint32_t code = 0xd800; code <= 0xdfff; ++code) {
    ASSERT_EQ(utf8(std::u16string(1, static_cast<char16_t>(code))), replacement);
    ASSERT_EQ(utf8(std::u32string(1, static_cast<char32_t>(code))), replacement);
    ASSERT_EQ(utf8(std::u16string{u'a', static_cast<char16_t>(code), u'b'}), "a" + replacement + "b");
  }
  EXPECT_EQ(utf8(std::u16string{0xdc00, 0xd800}), replacement + replacement);  // the wrong way round
  EXPECT_EQ(utf8(std::u16string{0xd83d, 0xd83d, 0xde00}), replacement + "\xf0\x9f\x98\x80");
}

TEST(Utf, CodePointsThatAreNoneAreReplaced) {
  for (std::uint32_t code : {0x110000u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    EXPECT_EQ(utf8(std::u32string(1, static_cast<char32_t>(code))), replacement);
  }
}

TEST(Utf, EveryLengthAndEveryPlaceAmongAscii) {
  for (std::size_t length = 0; length < 70; ++length) {
    std::u16string narrow(length, u'x');
    std::u32string wide(length, U'x');
    ASSERT_EQ(utf8(narrow), std::string(length, 'x'));
    ASSERT_EQ(utf8(wide), std::string(length, 'x'));
    for (std::size_t place = 0; place < length; ++place) {
      narrow[place] = u'\u00e9';
      wide[place] = U'\U0001F600';
      ASSERT_EQ(utf8(narrow), std::string(place, 'x') + "\xc3\xa9" + std::string(length - place - 1, 'x'));
      ASSERT_EQ(utf8(wide), std::string(place, 'x') + "\xf0\x9f\x98\x80" + std::string(length - place - 1, 'x'));
      narrow[place] = u'x';
      wide[place] = U'x';
    }
  }
}

TEST(Utf, WideTextOfThePlatform) {
  EXPECT_EQ(utf8(std::wstring(L"na\u00efve \u20ac \U0001F600")), "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80");
}

TEST(Utf, MalformedUtf8IsReplacedByMaximalParts) {
  const std::u16string one(1, u'\xfffd');
  // the examples of the Unicode standard, chapter 3.9, tables 3-8 to 3-11
  EXPECT_EQ(utf16("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82"
                  "A"),
            std::u16string(8, u'\xfffd') + u"A");
  EXPECT_EQ(utf16("\xed\xa0\x80\xed\xbf\xbf\xed\xaf"
                  "A"),
            std::u16string(8, u'\xfffd') + u"A");
  EXPECT_EQ(utf16("\xf4\x91\x92\x93\xff"
                  "A\x80\xbf"
                  "B"),
            std::u16string(5, u'\xfffd') + u"A" + std::u16string(2, u'\xfffd') + u"B");
  EXPECT_EQ(utf16("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf"
                  "A"),
            std::u16string(4, u'\xfffd') + u"A");
  EXPECT_EQ(utf16("\xe2\x82"), one);
}

TEST(Utf, AnUnfinishedSequenceWaitsForMore) {
  const std::string text = "a\xe2\x82";
  char16_t units[4];
  const auto done = headrace::to_utf16(text.data(), text.data() + text.size(), units, false);
  EXPECT_EQ(done.read, text.data() + 1);
  EXPECT_EQ(done.written, units + 1);
}

// All of two bytes, and those of three and four whose first bytes are at the borders of the table.
TEST(Utf, TheDecoderTellsValidFromMalformedFromCutShort) {
  using headrace::detail::utf8_state;
  const auto is_next = [](int byte) { return byte >= 0x80 && byte < 0xc0; };
  for (int first = 0; first < 256; ++first) {
    const int size = first < 0x80 ? 1 : first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    for (int second = 0; second < 256; ++second) {
      const bool fits = size >= 2 && is_next(second) && !(first == 0xe0 && second < 0xa0) &&
                        !(first == 0xed && second >= 0xa0) && !(first == 0xf0 && second < 0x90) &&
                        !(first == 0xf4 && second >= 0x90);
      for (const int third : {0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xff}) {
        const char text[] = {static_cast<char>(first), static_cast<char>(second), static_cast<char>(third), '\x80'};
        const int valid = size < 2 ? size : !fits ? 1 : size == 2 ? 2 : !is_next(third) ? 2 : size;
        for (int given = 1; given <= 4; ++given) {
          const auto found = headrace::detail::decode(text, text + given);
          const int part = size == 0 ? 1 : valid < given ? valid : given;
          ASSERT_EQ(found.size, part) << first << ' ' << second << ' ' << third << ' ' << given;
          const bool whole = size != 0 && valid == size && given >= size && (size == 1 || fits);
          const bool short_of_more = !whole && size > given && (given == 1 || (fits && (given == 2 || valid == size)));
          const auto state = whole ? utf8_state::valid : short_of_more ? utf8_state::cut_short : utf8_state::malformed;
          ASSERT_EQ(found.state, state) << first << ' ' << second << ' ' << third << ' ' << given;
        }
      }
    }
  }
}

TEST(Utf, RandomTextSurvivesTheWayThere) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    std::u16string text;
    for (std::size_t length = random() % 200; text.size() < length;) {
      const auto code = static_cast<std::uint32_t>(random() % (random() % 3 == 0 ? 0x110000 : 0x80));
      if (code >= 0xd800 && code <= 0xdfff) continue;
      text += pair_of(code);
    }
    ASSERT_EQ(utf16(utf8(text)), text);
  }
}

TEST(Utf, KnowsAPairThatWouldBeCut) {
  EXPECT_TRUE(headrace::splits_a_pair(char16_t{0xd83d}));
  EXPECT_FALSE(headrace::splits_a_pair(char16_t{0xde00}));
  EXPECT_FALSE(headrace::splits_a_pair(u'x'));
  EXPECT_FALSE(headrace::splits_a_pair(char32_t{0xd83d}));
}

}  // namespace
