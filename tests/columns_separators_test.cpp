// reader::separators(): bytes that count as blanks, in every way of reading and at every cut of the input.
#include "support/scripted_read.hpp"  // before headrace

#include <headrace/headrace.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/ends.hpp"
#include "support/errors.hpp"
#include "support/kernels.hpp"

namespace {

using headrace::reader;

TEST(separators, are_blanks_for_numbers_words_and_bulk) {
  const std::string text = "1,2;3, 4\n;5,,six;7";
  test::for_each_kernel([&] {
    reader from = reader::from(text);
    from.separators(",;");
    std::vector<int> numbers(4);
    from.read(numbers);
    EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3, 4}));
    EXPECT_EQ(from.read<int>(), 5);
    EXPECT_EQ(from.read<std::string>(), "six");
    EXPECT_EQ(from.read<int>(), 7);
    EXPECT_TRUE(from.at_end());
  });
  EXPECT_EQ(text, "1,2;3, 4\n;5,,six;7") << "memory of the user's stays as it is";
}

TEST(separators, at_every_cut) {
  std::string text;
  std::vector<long> expected;
  for (long i = 0; i < 60; ++i) {
    expected.push_back(i * i * i);
    text += std::to_string(expected.back()) + (i % 3 == 0 ? "," : i % 3 == 1 ? ";\n" : "\x80\xff");
  }
  const test::pipe_ends pipe = test::make_pipe();
  for (std::size_t cut = 1; cut < text.size(); ++cut) {
    test::scripted_read script(pipe.read.get(), text,
                               [cut](std::size_t at) { return at < cut ? cut - at : std::size_t(-1); });
    reader from(pipe.read.get());
    from.separators(",;\x80\xff");
    std::vector<long> seen;
    for (long value = 0; from.try_read(value);) seen.push_back(value);
    ASSERT_EQ(seen, expected) << cut;
  }
}

TEST(separators, from_the_place_where_they_are_set) {
  const std::string text = "a,b c,d\ne,f";
  reader from = reader::from(text);
  EXPECT_EQ(from.read<std::string>(), "a,b");
  from.separators(",");
  EXPECT_EQ(from.read<std::string>(), "c");
  EXPECT_EQ(from.read<std::string>(), "d");
  EXPECT_EQ(from.read_line(), "");
  EXPECT_EQ(from.read_line(), "e f");
}

TEST(separators, blanks_stay_blanks_and_lines_are_counted) {
  const std::string text = "1,2\n3,x";
  const test::pipe_ends pipe = test::make_pipe();
  test::scripted_read script(pipe.read.get(), text, [](std::size_t) { return std::size_t(1); });
  reader from(pipe.read.get());
  from.separators(",\n ");
  EXPECT_EQ(from.read<int>() + from.read<int>() + from.read<int>(), 6);
  const headrace::input_error error = test::error_of([&] { (void)from.read<int>(); });
  EXPECT_EQ(error.line(), 2u);
  EXPECT_EQ(error.column(), 3u);
  EXPECT_EQ(error.token(), "x");
}

}  // namespace
