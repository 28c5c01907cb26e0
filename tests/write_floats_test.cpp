// The kernels' text of many floats and doubles against format() of one, which format_float_test.cpp compares with exact
// arithmetic: ten million random numbers, all exponents, short decimals and their neighbours, ties, and every place in
// a group.
#include <headrace/format.hpp>
#include <headrace/detail/number_functions.hpp>
#include <headrace/detail/simd/dispatch.hpp>
#include <headrace/writer.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "support/kernels.hpp"
#include "support/soak.hpp"

namespace {

template <class Float>
using bits_of = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;

template <class Float>
Float from_bits(std::uint64_t bits) {
  const auto narrow = static_cast<bits_of<Float>>(bits);
  Float value;
  std::memcpy(&value, &narrow, sizeof value);
  return value;
}

template <class Float>
void compare(const std::vector<Float>& values, char separator = '\n') {
  constexpr std::size_t padding = headrace::detail::bulk_write_padding;
  const std::size_t room = values.size() * (headrace::detail::max_float_length + 1) + padding;
  static thread_local std::vector<char> text;
  text.assign(room + 8, '~');
  const char* const end = headrace::detail::write_floats(text.data(), values.data(), values.size(), separator);
  ASSERT_EQ(std::string(text.data() + room, 8), "~~~~~~~~");
  const char* at = text.data();
  for (const Float value : values) {
    char one[64];
    char* last = headrace::format(one, one + sizeof one, value).ptr;
    *last++ = separator;
    const auto size = static_cast<std::size_t>(last - one);
    ASSERT_TRUE(std::memcmp(at, one, size) == 0) << std::string(at, size) << ", expected " << std::string(one, size);
    at += size;
  }
  ASSERT_EQ(at, end);
}

template <class Float>
class write_floats_of : public ::testing::Test {};
using types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(write_floats_of, types, );

TYPED_TEST(write_floats_of, random_bits) {
  test::for_each_kernel([] {
    std::mt19937_64 random(sizeof(TypeParam));
    std::vector<TypeParam> values(10'000);
    for (int round = 0; round < 500 && !testing::Test::HasFatalFailure(); ++round) {
      for (TypeParam& value : values) value = from_bits<TypeParam>(random() & 0xffefffffff7fffff);
      compare(values);
    }
  });
}

// Both signs of every exponent, infinity and what is no number included: powers of two, their neighbours, few bits.
TYPED_TEST(write_floats_of, every_exponent) {
  constexpr int fraction = std::numeric_limits<TypeParam>::digits - 1;
  constexpr std::uint64_t all = (std::uint64_t{1} << fraction) - 1;
  std::mt19937_64 random(5);
  std::vector<TypeParam> values;
  for (std::uint64_t top = 0; top < std::uint64_t{1} << (8 * sizeof(TypeParam) - fraction); ++top) {
    for (std::uint64_t i = 0; i < 24; ++i) {
      for (const std::uint64_t low :
           {i, all - i, std::uint64_t{1} << i % fraction, random() & all, random() & all << i})
        values.push_back(from_bits<TypeParam>(top << fraction | (low & all)));
    }
  }
  test::for_each_kernel([&] { compare(values); });
}

TYPED_TEST(write_floats_of, short_decimals_and_their_neighbours) {
  std::vector<TypeParam> values;
  const int max = std::numeric_limits<TypeParam>::max_exponent10, min = std::numeric_limits<TypeParam>::min_exponent10;
  for (int power = min - 17; power <= max; ++power) {
    for (int significand = 1; significand < 1000; significand += significand < 20 ? 1 : 17) {
      const std::string text = std::to_string(significand) + "e" + std::to_string(power);
      TypeParam value{};
      if (!headrace::parse(text.data(), text.data() + text.size(), value)) continue;
      bits_of<TypeParam> bits;
      std::memcpy(&bits, &value, sizeof bits);
      for (const unsigned away : {0u, 1u, 2u, 3u}) {
        values.push_back(from_bits<TypeParam>(bits + away));
        values.push_back(from_bits<TypeParam>(bits - (away < bits ? away : 0)));
      }
    }
  }
  test::for_each_kernel([&] { compare(values); });
}

// What people write, and numbers whose last digit is a tie.
TYPED_TEST(write_floats_of, whole_numbers_decimals_and_fractions_of_powers_of_two) {
  constexpr int digits = std::numeric_limits<TypeParam>::digits;
  test::for_each_kernel([] {
    std::mt19937_64 random(6);
    std::vector<TypeParam> values;
    for (int i = 0; i < 100'000; ++i) {
      const std::uint64_t full = random() >> (64 - digits) | std::uint64_t{1} << (digits - 1);
      values.push_back(std::ldexp(static_cast<TypeParam>(full), static_cast<int>(random() % 14) - 8));
      values.push_back(i % 9 == 0 ? -TypeParam(0) : static_cast<TypeParam>(i));
      values.push_back(static_cast<TypeParam>(i) / 100);
      values.push_back(-static_cast<TypeParam>(random() >> (random() & 63)));
      values.push_back(static_cast<TypeParam>(random() >> 1 >> (random() & 63)) /
                       static_cast<TypeParam>(std::uint64_t{1} << (random() % 20)));
    }
    compare(values);
  });
}

TYPED_TEST(write_floats_of, every_count_and_place) {
  const TypeParam special[] = {0,
                               -TypeParam(0),
                               std::numeric_limits<TypeParam>::infinity(),
                               std::numeric_limits<TypeParam>::quiet_NaN(),
                               std::numeric_limits<TypeParam>::denorm_min(),
                               -std::numeric_limits<TypeParam>::max(),
                               1};
  test::for_each_kernel([&] {
    for (const TypeParam value : special) {
      for (std::size_t count = 0; count < 40; ++count) {
        for (std::size_t place = 0; place <= count; ++place) {
          std::vector<TypeParam> values(count, TypeParam(-12.5));
          if (place < count) values[place] = value;
          compare(values, ' ');
        }
      }
    }
  });
}

// Through the writer, whose buffer ends somewhere within.
TYPED_TEST(write_floats_of, a_range_of_any_size) {
  test::for_each_kernel([] {
    std::mt19937_64 random(9);
    for (const std::size_t count : {0u, 1u, 2u, 9u, 3000u, 70000u}) {
      std::vector<TypeParam> values(count);
      std::string expected, text;
      for (TypeParam& value : values) {
        value = from_bits<TypeParam>(random());
        char one[64];
        if (!expected.empty()) expected += ',';
        expected.append(one, headrace::format(one, one + sizeof one, value).ptr);
      }
      headrace::writer to = headrace::writer::into(text);
      to.write_range(values, ',');
      to.flush();
      ASSERT_TRUE(text == expected) << count;
    }
  });
}

// Tokens that a newline ends, as a reader takes a window of them. Returns how many were numbers.
std::size_t read_window(const std::string& padded, std::size_t size, double* values, std::size_t room) {
  using namespace headrace::detail;
  static std::uint16_t edges[window_edges];
  const char* const text = padded.data() + 64;
  char* const to = reinterpret_cast<char*>(values);
  std::size_t done = 0;
  if (scan_floats<double>(text, size, edges, to, room, done)) return done;
  const std::size_t count = index_tokens(text, size, edges) / 2;
  return count > room ? 0 : convert_floats<double>(text, edges, count, to);
}

// Random bits to text and back: each kernel writes the same, and reads the same values from it.
TEST(write_floats, soak) {
  constexpr std::size_t count = 300;  // fit a window: 24 bytes at most, and a newline
  static_assert(count * 26 <= headrace::detail::window_size);
  test::soak soak("times 300 doubles to text and back, by each kernel");
  std::mt19937_64 random(soak.seed());
  std::vector<double> values(count), back(count);
  std::string padded(64 + count * 26 + headrace::detail::bulk_write_padding + 128, ' '), expected;
  while (soak.goes_on() && !HasFailure()) {
    for (double& value : values) {
      do {
        value = from_bits<double>(random());
      } while (!std::isfinite(value));
    }
    expected.clear();
    test::for_each_kernel([&] {
      const char* const end = headrace::detail::write_floats(&padded[64], values.data(), count, '\n');
      const auto size = static_cast<std::size_t>(end - padded.data()) - 64;
      if (expected.empty()) expected.assign(padded, 64, size);
      ASSERT_EQ(padded.compare(64, size, expected), 0) << test::chosen_kernel_name();
      std::memset(&padded[64 + size], ' ', 128);
      ASSERT_EQ(read_window(padded, size, back.data(), count), count) << test::chosen_kernel_name();
      ASSERT_EQ(std::memcmp(back.data(), values.data(), count * sizeof(double)), 0) << test::chosen_kernel_name();
    });
  }
}

}  // namespace
