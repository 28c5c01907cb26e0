// format.hpp: every 16-bit integer, the edges and random values of the others, every base, every size of room.
#include <headrace/format.hpp>
#include <headrace/detail/simd/dispatch.hpp>

#include <charconv>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/share.hpp"

namespace {

using headrace::format;

template <class Integer>
std::string text_of(Integer value) {
  char text[64];
  const auto result = format(text, text + sizeof text, value);
  EXPECT_TRUE(result);
  return std::string(text, result.ptr);
}

template <class Integer>
std::string text_of(Integer value, int base) {
  char text[160];
  const auto result = format(text, text + sizeof text, value, base);
  EXPECT_TRUE(result);
  return std::string(text, result.ptr);
}

template <class Integer>
std::string reference(Integer value, int base = 10) {
  char text[160];
  return std::string(text, std::to_chars(text, text + sizeof text, value, base).ptr);
}

// 0, the ends, and every power of two and of ten with its neighbours, of both signs.
template <class Integer>
std::vector<Integer> edges() {
  using limits = std::numeric_limits<Integer>;
  std::vector<Integer> values = {0,
                                 1,
                                 limits::max(),
                                 limits::min(),
                                 static_cast<Integer>(limits::max() - 1),
                                 static_cast<Integer>(limits::min() + 1)};
  const auto around = [&](std::uint64_t middle) {
    for (std::uint64_t value : {middle - 1, middle, middle + 1}) {
      values.push_back(static_cast<Integer>(value));
      values.push_back(static_cast<Integer>(0 - value));
    }
  };
  for (int bit = 0; bit < 64; ++bit) around(std::uint64_t{1} << bit);
  std::uint64_t power = 1;
  for (int i = 0; i < 20; ++i, power *= 10) around(power);
  return values;
}

// Every length equally often.
template <class Integer>
std::vector<Integer> random_values(std::size_t count) {
  std::mt19937_64 random(7);
  std::vector<Integer> values(count);
  for (Integer& value : values) value = static_cast<Integer>(static_cast<std::int64_t>(random()) >> random() % 64);
  return values;
}

TEST(FormatInteger, EveryValueOf8And16Bits) {
  for (int value = -32768; value < 65536; ++value) {
    if (value < 32768) {
      ASSERT_EQ(text_of(static_cast<std::int16_t>(value)), std::to_string(value));
    }
    if (value >= 0) {
      ASSERT_EQ(text_of(static_cast<std::uint16_t>(value)), std::to_string(value));
    }
    if (value >= -128 && value < 128) {
      ASSERT_EQ(text_of(static_cast<std::int8_t>(value)), std::to_string(value));
    }
    if (value >= 0 && value < 256) {
      ASSERT_EQ(text_of(static_cast<std::uint8_t>(value)), std::to_string(value));
    }
  }
}

template <class Integer>
class FormatWide : public testing::Test {};
using wide_types = testing::Types<int, unsigned, long, unsigned long, long long, unsigned long long>;
TYPED_TEST_SUITE(FormatWide, wide_types);

TYPED_TEST(FormatWide, EdgesAndRandomValues) {
  for (TypeParam value : edges<TypeParam>()) ASSERT_EQ(text_of(value), reference(value));
  for (TypeParam value : random_values<TypeParam>(200000 / test::share())) ASSERT_EQ(text_of(value), reference(value));
}

TYPED_TEST(FormatWide, EveryBase) {
  for (int base = 2; base <= 36; ++base) {
    for (TypeParam value : edges<TypeParam>()) ASSERT_EQ(text_of(value, base), reference(value, base)) << base;
  }
}

// From any place on, in pieces of any length.
template <class Integer, class Reference>
void check_in_bulk(const std::vector<Integer>& values, const Reference& text_of_value) {
  for (std::size_t begin = 0; begin < values.size(); begin += 61) {
    for (std::size_t count = 0; count < 80 && begin + count <= values.size(); count += 1 + count / 9) {
      std::string expected;
      for (std::size_t i = 0; i < count; ++i) expected += text_of_value(values[begin + i]) + '|';
      std::string text(count * (headrace::detail::max_length<Integer> + 1) + headrace::detail::bulk_write_padding, '?');
      char* end = headrace::detail::write_integers(text.data(), values.data() + begin, count, '|');
      text.resize(static_cast<std::size_t>(end - text.data()));
      ASSERT_EQ(text, expected);
    }
  }
}

TYPED_TEST(FormatWide, InBulk) {
  std::vector<TypeParam> values = random_values<TypeParam>(5000);
  for (TypeParam value : edges<TypeParam>()) values.push_back(value);
  for (int i = 0; i < 1000; ++i) values.push_back(static_cast<TypeParam>(i));      // a run of short ones
  for (std::uint64_t power = 1, digits = 1; digits < 20; power *= 10, ++digits) {  // and of each length
    for (std::uint64_t i = 0; i < 24; ++i) {
      const auto value = static_cast<TypeParam>(power + power / 7 * i);
      values.push_back(std::is_signed<TypeParam>::value && i % 2 != 0 ? static_cast<TypeParam>(0 - value) : value);
    }
  }
  check_in_bulk(values, [](TypeParam value) { return reference(value); });
}

TEST(FormatInteger, RefusesAnotherBase) {
  char text[80];
  for (int base : {-10, 0, 1, 37, 256}) {
    const auto result = format(text, text + sizeof text, 5, base);
    EXPECT_EQ(result.ec, std::errc::invalid_argument);
    EXPECT_EQ(result.ptr, text);
  }
}

TEST(FormatInteger, SaysWhenTheRoomIsTooSmall) {
  for (long long value : {0LL, 7LL, -7LL, 1234LL, -99999LL, std::numeric_limits<long long>::min()}) {
    const std::string expected = std::to_string(value);
    for (std::size_t room = 0; room < 30; ++room) {
      std::string text(32, '#');
      const auto result = format(text.data(), text.data() + room, value);
      ASSERT_EQ(result.ec == std::errc{}, room >= expected.size());
      ASSERT_EQ(result.ptr - text.data(), static_cast<std::ptrdiff_t>(result ? expected.size() : room));
      if (result) {
        ASSERT_EQ(text.substr(0, expected.size()), expected);
      }
      ASSERT_EQ(text.substr(room), std::string(32 - room, '#')) << "wrote past the room of " << room;
    }
  }
}

#if defined(__SIZEOF_INT128__)
// Digit by digit, with nothing of the library.
std::string long_division(headrace::uint128 value, unsigned base = 10) {
  std::string text;
  do {
    text.insert(text.begin(), "0123456789abcdefghijklmnopqrstuvwxyz"[static_cast<unsigned>(value % base)]);
    value /= base;
  } while (value != 0);
  return text;
}

std::string long_division_signed(headrace::int128 value) {
  const auto bits = static_cast<headrace::uint128>(value);
  return value < 0 ? "-" + long_division(0 - bits) : long_division(bits);
}

TEST(FormatInteger, Of128BitsInBulk) {
  std::mt19937_64 random(4);
  std::vector<headrace::uint128> values;
  std::vector<headrace::int128> same;  // copied one by one: g++ 12 takes two vectors' memory for one
  headrace::uint128 power = 1;
  for (int digits = 1; digits < 40; ++digits, power *= 10) {  // around each length, and a run of it
    for (unsigned i = 0; i < 24; ++i) values.push_back(i < 4 ? power + i - 2 : power + power / 7 * i);
  }
  for (int i = 0; i < 2000; ++i) {
    values.push_back((headrace::uint128(random()) << 64 | random()) >> random() % (i < 1000 ? 128 : 2));
  }
  check_in_bulk(values, [](headrace::uint128 value) { return long_division(value); });
  for (headrace::uint128 value : values) same.push_back(static_cast<headrace::int128>(value));
  check_in_bulk(same, long_division_signed);
}

TEST(FormatInteger, Of128Bits) {
  std::mt19937_64 random(3);
  std::vector<headrace::uint128> values = {0, ~headrace::uint128(0)};
  headrace::uint128 power = 1;
  for (int i = 0; i < 39; ++i, power *= 10) {
    for (int offset : {-1, 0, 1}) values.push_back(power + static_cast<headrace::uint128>(offset));
  }
  for (int i = 0; i < 128; ++i) values.push_back(headrace::uint128(1) << i);
  for (int i = 0; i < test::share_of(50000); ++i) {
    values.push_back((headrace::uint128(random()) << 64 | random()) >> random() % 128);
  }
  for (headrace::uint128 value : values) {
    ASSERT_EQ(text_of(value), long_division(value));
    const auto as_signed = static_cast<headrace::int128>(value);
    ASSERT_EQ(text_of(as_signed), long_division_signed(as_signed));
    ASSERT_EQ(text_of(value, 2), long_division(value, 2));
    ASSERT_EQ(text_of(value, 36), long_division(value, 36));
  }
  EXPECT_EQ(text_of(~headrace::uint128(0)), "340282366920938463463374607431768211455");
  EXPECT_EQ(text_of(static_cast<headrace::int128>(headrace::uint128(1) << 127)),
            "-170141183460469231731687303715884105728");
}
#endif

}  // namespace
