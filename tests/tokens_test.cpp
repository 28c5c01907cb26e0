// The kernels' conversion of indexed tokens against the model: every length together with every other, values at the
// edges of a type, and a damaged token among good ones. Both stages in one pass against one after the other.
#include <headrace/detail/number_functions.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/convert.hpp"
#include "support/kernels.hpp"
#include "support/model.hpp"
#include "support/share.hpp"

namespace {

using test::window;

static_assert(headrace::detail::window_size < 1 << 15);  // lengths are differences of edges, of 16 bits with a sign

unsigned below(std::mt19937_64& random, std::size_t limit) { return static_cast<unsigned>(random() % limit); }

std::string random_token(std::mt19937_64& random, unsigned length) {
  static const std::vector<std::string> edges = test::words_of(
      "9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 9219999999999999999 "
      "9220000000000000000 18446744073709551615 18446744073709551616 18439999999999999999 18440000000000000000 "
      "2147483647 -2147483648 4294967295 4294967296 00000000000000000007 -0000000000000000007 "
      "000000000000000000000001 -0 0 "
      "170141183460469231731687303715884105727 170141183460469231731687303715884105728 "
      "-170141183460469231731687303715884105728 -170141183460469231731687303715884105729 "
      "340282366920938463463374607431768211455 340282366920938463463374607431768211456 "
      "999999999999999999999999999999999999999 0000000000000000000000000000000000000007 "
      "-0000000000000000000000000000000000000007 00000000000000000000000000000000000000000");
  if (below(random, 4) == 0) return edges[below(random, edges.size())];
  std::string text = below(random, 3) == 0 ? "-" : "";
  for (unsigned i = 0; i < length; ++i) text += static_cast<char>('0' + below(random, 10));
  if (below(random, 40) == 0) text[below(random, text.size())] = "-+.x/:\xff"[below(random, 7)];
  return text;
}

// f(Int{}) with each kernel, for an integer type of each width and signedness that kernels tell apart.
template <class F>
void for_each_kernel_and_width(const F& f) {
  test::for_each_kernel([&f] {
    f(std::int64_t{});
    f(std::uint64_t{});
    f(std::int32_t{});
    f(std::uint32_t{});
    f(std::int16_t{});
    f(std::uint8_t{});
#if defined(__SIZEOF_INT128__)
    f(headrace::int128{});
    f(headrace::uint128{});
#endif
  });
}

template <class Int>
void check(const window& in) {
  std::vector<Int> values(in.size(), Int(77)), expected;
  for (std::size_t i = 0; i < in.size(); ++i) {
    Int value{};
    if (test::model::parse(in.word(i), value) != std::errc{}) break;
    expected.push_back(value);
  }
  const std::size_t done = test::convert(in.base(), in.edges, values);
  ASSERT_EQ(done, expected.size()) << in.padded;
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], i < done ? expected[i] : Int(77)) << in.padded;
}

TEST(tokens, of_all_lengths_under_each_kernel) {
  std::mt19937_64 random(20261120);
  for (int round = 0; round < 3000; ++round) {
    window in;
    const unsigned longest = 1 + below(random, round % 3 == 0 ? 41 : 21);
    const unsigned shortest = below(random, 2) == 0 ? longest : 1;
    const unsigned count = 1 + below(random, 24);
    for (unsigned i = 0; i < count; ++i) {
      in.add(random_token(random, shortest + below(random, longest - shortest + 1)));
    }
    in.close();
    for_each_kernel_and_width([&in](auto value) { check<decltype(value)>(in); });
    if (HasFatalFailure()) return;
  }
}

// All tokens at once, those that are no values noted, with the reason.
template <class Int>
void check_noted(const window& in) {
  using headrace::detail::refusals;
  const auto& type = headrace::detail::number_type_of<Int>;
  const std::size_t count = in.size();
  std::vector<std::uint16_t> noted(count + refusals::padding);
  std::vector<headrace::detail::ahead_t<Int>> values(count);
  refusals refused{noted.data(), noted.data()};
  type.convert(type, in.base(), in.edges.data(), count, reinterpret_cast<char*>(values.data()), &refused);
  std::vector<std::uint16_t> expected;
  for (std::size_t i = 0; i < count; ++i) {
    Int value{};
    const std::errc code = test::model::parse(in.word(i), value);
    if (code == std::errc{}) {
      ASSERT_EQ(static_cast<Int>(values[i]), value) << in.word(i);
    } else {
      const unsigned mark = code == std::errc::invalid_argument ? refusals::malformed : 0;
      expected.push_back(static_cast<std::uint16_t>(i | mark));
    }
  }
  ASSERT_EQ(std::vector<std::uint16_t>(refused.first, refused.next), expected) << in.padded;
}

TEST(tokens, those_that_are_refused_are_noted_and_the_others_converted) {
  std::mt19937_64 random(20261123);
  for (int round = 0; round < 3000; ++round) {
    window in;
    const unsigned longest = 1 + below(random, round % 3 == 0 ? 41 : 21), damage = 1 + below(random, 30),
                   count = 1 + below(random, 60);
    for (unsigned i = 0; i < count; ++i) {
      std::string word = random_token(random, 1 + below(random, 3) % 2 * below(random, longest) + longest / 2);
      if (below(random, damage) == 0) word[below(random, word.size())] = "x--++./:)"[below(random, 9)];
      in.add(word);
    }
    in.close();
    for_each_kernel_and_width([&in](auto value) { check_noted<decltype(value)>(in); });
    if (HasFatalFailure()) return;
  }
}

// A sign or a byte that is none, at each place of a token of each length, at each place among eight others: kernels
// look at eight bytes at a time, and a minus at such an edge is no sign. A field may begin with a space.
TEST(tokens, damage_at_every_place_is_noticed) {
  for (unsigned length = 1; length <= 40; ++length) {
    for (unsigned place = 0; place < length; ++place) {
      for (const char byte : {'-', '+', '/', ':', ' '}) {
        for (const unsigned others : {1u, 8u, 9u, 17u, 18u}) {
          std::string damaged(length, '0');
          damaged.back() = '3';
          damaged[place] = byte;
          window in;
          const unsigned which = (length + place) % 8;
          for (unsigned i = 0; i < 8; ++i) in.add(i == which ? damaged : std::string(others - 1, '0') + '7');
          in.close();
          test::for_each_kernel([&in] {
            check<std::int64_t>(in);
            check_noted<std::int64_t>(in);
            check_noted<std::uint32_t>(in);
#if defined(__SIZEOF_INT128__)
            check_noted<headrace::int128>(in);
#endif
          });
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

std::string random_blanks(std::mt19937_64& random) {
  std::string blanks;
  do blanks += " \n\t\r\v\f"[below(random, 6)];
  while (below(random, 6) == 0);
  return blanks;
}

// Edges, and values with 7 where there is none, of text of this size: a token takes two bytes or more.
struct scanned {
  explicit scanned(std::size_t size) : edges(size + 128), values(4 * size + 8, 7) {}

  std::vector<std::uint16_t> edges;
  std::vector<char> values;
  std::size_t done = 0;
};

template <unsigned Width, class Int>
void check_scans(const char* text, std::size_t size, std::size_t room) {
  using namespace headrace::detail;
  scanned both_stages(size);
  const std::size_t count = scalar::index_tokens(text, size, both_stages.edges.data()) / 2;
  both_stages.done = scalar::convert_integers<Width>(text, both_stages.edges.data(), 0, std::min(count, room),
                                                     both_stages.values.data(), range_of<Int>, nullptr);
  for (const scalar::scan_function scan :
       {scalar::choose_scan<Width>(), scalar::scan_words<Width>, scalar::scan_digits<Width>}) {
    scanned one_pass(size);
    one_pass.done = scan(text, size, one_pass.edges.data(), one_pass.values.data(), room, range_of<Int>);
    ASSERT_EQ(one_pass.done, both_stages.done) << std::string(text, size);
    ASSERT_EQ(one_pass.values, both_stages.values) << std::string(text, size);
    one_pass.edges.resize(2 * one_pass.done);
    both_stages.edges.resize(2 * both_stages.done);
    ASSERT_EQ(one_pass.edges, both_stages.edges) << std::string(text, size);
  }
}

TEST(tokens, are_scanned_in_one_pass_as_in_two) {
  std::mt19937_64 random(20261129);
  for (int round = 0; round < test::share_of(20000); ++round) {
    std::string text(64, '7');
    const unsigned count = below(random, 60), longest = 1 + below(random, 41);
    if (below(random, 4) == 0) text += random_blanks(random);
    for (unsigned i = 0; i < count; ++i) {
      text += random_token(random, 1 + below(random, longest));
      if (below(random, 300) == 0) text += "\x01\x1f\x80 "[below(random, 4)];
      text += random_blanks(random);
    }
    const std::size_t size = text.size() - 64, room = below(random, 3) == 0 ? below(random, 50) : 1000;
    text.append(128, '9');
    check_scans<4, std::int32_t>(text.data() + 64, size, room);
    check_scans<4, std::uint32_t>(text.data() + 64, size, room);
    check_scans<8, std::int64_t>(text.data() + 64, size, room);
    check_scans<8, std::uint64_t>(text.data() + 64, size, room);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
