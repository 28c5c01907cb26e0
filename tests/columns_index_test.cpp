// The kernels' index of fields against a loop over the bytes: random texts full of separators, quotes, newlines and
// carriage returns, of every length up to several blocks.
#include <headrace/detail/bytes.hpp>
#include <headrace/detail/simd/index_fields.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/kernels.hpp"
#include "support/share.hpp"

namespace {

using headrace::detail::field_index;
using headrace::detail::field_marks;

struct expected_index {
  std::vector<std::uint16_t> ends;
  std::vector<std::uint64_t> doubled;
  std::size_t newlines = 0;
  std::size_t sound = 0;
  bool quoted = false;
  bool returned = false;
  bool empty = false;
};

// What is wrong with byte i is known when the byte after it has been seen, in that byte's block.
expected_index index_byte_by_byte(const std::string& text, field_marks marks) {
  expected_index found;
  found.doubled.resize((text.size() + 63) / 64);
  bool inside = false, may_open = true, closed = false, returned = false;
  std::size_t first_stray = text.size();
  const auto stray = [&](std::size_t at) {
    if (at / 64 * 64 < first_stray && first_stray == text.size()) first_stray = at / 64 * 64;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    const bool is_quote = byte == marks.quote && marks.quote != '\0';
    const bool is_end = !inside && !is_quote && (byte == marks.separator || byte == '\n');
    const bool is_return = !inside && byte == '\r' && !is_end;
    found.quoted |= is_quote;
    if (closed && !is_end && !is_quote && !is_return) stray(i);
    if (returned && (inside || byte != '\n')) stray(i);
    const bool closes = is_quote && inside, is_second = is_quote && closed;
    found.doubled[i / 64] |= std::uint64_t(is_second) << i % 64;
    if (is_quote && !inside && !may_open) stray(i);
    if (is_quote) inside = !inside;
    found.returned |= is_return;
    if (is_end) {
      found.empty |= i == (found.ends.empty() ? 0 : found.ends.back());
      found.ends.push_back(static_cast<std::uint16_t>(i + 1));
      found.newlines += byte == '\n';
    }
    may_open = is_end || closes;
    closed = closes;
    returned = is_return;
  }
  found.sound = first_stray;
  return found;
}

void check(const std::string& text, field_marks marks) {
  const std::string padded = std::string(64, '"') + text + std::string(128, '"');
  std::vector<std::uint16_t> ends(headrace::detail::places_of(text.size()));
  std::vector<std::uint64_t> doubled(headrace::detail::words_of(text.size()), 0x5555555555555555);
  field_index found{};
  headrace::detail::index_fields(padded.data() + 64, text.size(), marks, ends.data(), doubled.data(), found);
  const expected_index expected = index_byte_by_byte(text, marks);
  ASSERT_EQ(found.sound, expected.sound) << text;
  // What is after a stray byte is of no use to anybody.
  ASSERT_LE(found.fields, ends.size());
  ends.resize(found.fields);
  ASSERT_EQ(ends, expected.ends) << text;
  ASSERT_EQ(found.newlines, expected.newlines) << text;
  ASSERT_EQ(found.quoted, expected.quoted) << text;
  doubled.resize(expected.doubled.size());
  if (found.quoted) {
    ASSERT_EQ(doubled, expected.doubled) << text;
  }
  ASSERT_EQ(found.returned, expected.returned) << text;
  ASSERT_EQ(found.empty, expected.empty) << text;
}

TEST(columns_index, agrees_with_a_loop_over_the_bytes) {
  std::mt19937_64 random(4180);
  const auto below = [&random](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  const std::string_view alphabets[] = {",\n",
                                        ",\"\n",
                                        ",,,\n\"\"xxxxxxxxxxx",
                                        ",\r\nab\"",
                                        "\"",
                                        "\r\n",
                                        "abc,",
                                        std::string_view(",\0\xff\x80\"\n;", 7)};
  test::for_each_kernel([&] {
    for (int round = 0; round < test::share_of(20000); ++round) {
      const std::string_view alphabet = alphabets[below(8)];
      std::string text;  // at times after some without quotes and carriage returns, which kernels take apart
      for (std::size_t size = below(2) * below(300); size > 0; --size) text += "ab,\n"[below(4)];
      for (std::size_t size = below(400); size > 0; --size) text += alphabet[below(alphabet.size())];
      const field_marks marks[] = {{',', '"'}, {';', '"'}, {',', '\0'}, {'\0', '"'}, {'\xff', '\x80'}};
      check(text, marks[below(5)]);
      if (HasFatalFailure()) FAIL() << test::chosen_kernel_name();
    }
  });
}

TEST(columns_index, finds_good_tables_sound) {
  std::mt19937_64 random(5);
  const auto below = [&random](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  const char* const fields[] = {"", "1", "\"a,b\"", "\"\"", "\"x\"\"y\n\"", "text", "\"\r\n\"", "\"\"\"\""};
  test::for_each_kernel([&] {
    for (int round = 0; round < test::share_of(3000); ++round) {
      std::string text;
      std::size_t count = 0;
      while (text.size() < 500) {
        text += fields[below(8)];
        const char* const ends[] = {",", "\n", "\r\n"};
        text += ends[below(3)];
        ++count;
      }
      check(text, {',', '"'});
      const expected_index expected = index_byte_by_byte(text, {',', '"'});
      ASSERT_EQ(expected.sound, text.size());
      ASSERT_EQ(expected.ends.size(), count);
    }
  });
}

// Of every length up to one of which a byte of the sums would overflow, were they not added up before.
TEST(columns_index, quotes_are_counted) {
  const std::string quotes(5000, '"'), others(5000, '!');
  std::mt19937_64 random(3);
  std::string mixed;
  for (int i = 0; i < 5000; ++i) mixed += random() % 2 == 0 ? '"' : '!';
  const auto count = [](const char* first, const char* last) {
    return headrace::detail::count_bytes(first, last, '"');
  };
  for (std::size_t size = 0; size <= 5000; ++size) {
    ASSERT_EQ(count(quotes.data() + 5000 - size, quotes.data() + 5000), size);
    ASSERT_EQ(count(others.data(), others.data() + size), 0u) << size;
    const auto expected = std::count(mixed.data(), mixed.data() + size, '"');
    ASSERT_EQ(count(mixed.data(), mixed.data() + size), static_cast<std::uint64_t>(expected)) << size;
  }
}

TEST(columns_index, edges_of_a_column_are_those_of_its_fields) {
  std::mt19937_64 random(20);
  test::for_each_kernel([&] {
    for (std::size_t stride = 1; stride <= 70; ++stride) {
      for (const std::size_t count : {1u, 2u, 3u, 7u, 8u, 13u, 16u, 17u, 64u, 511u}) {
        std::vector<std::uint16_t> ends(stride * count + 129);  // as long as the end of the workspace allows
        for (std::size_t i = 1; i < ends.size(); ++i) ends[i] = static_cast<std::uint16_t>(1 + random() % 65535);
        // ends[0] is where the first field begins
        const std::size_t field = 1 + static_cast<std::size_t>(random()) % stride;
        std::vector<std::uint16_t> edges(2 * count + 32), expected;
        headrace::detail::copy_edges(ends.data() + field, stride, count, edges.data());
        for (std::size_t i = 0; i < count; ++i) {
          const std::uint16_t* const end = ends.data() + field + i * stride;
          expected.push_back(end[-1]);
          expected.push_back(static_cast<std::uint16_t>(end[0] - 1u));
        }
        edges.resize(2 * count);
        ASSERT_EQ(edges, expected) << test::chosen_kernel_name() << ", every " << stride << ". of " << count;
      }
    }
  });
}

}  // namespace
