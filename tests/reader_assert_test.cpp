// What only a debug build says. A file of its own: whether it is one is up to the file.
#undef NDEBUG
#include <headrace/reader.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using headrace::reader;

TEST(reader_assert, an_empty_vector_is_not_filled) {
  reader from = reader::from("1 2");
  std::vector<int> none;
  const char* const sentence = "read_values.hpp:.*: headrace: the range to fill has no elements";
  EXPECT_DEATH(from >> none, sentence);
  EXPECT_DEATH(while (from.try_read(none)){}, sentence);
  from.read(none);
  EXPECT_EQ(from.read_some(none), 0u);
  std::string text;
  from >> text;
  EXPECT_EQ(text, "1");
}

TEST(reader_assert, no_more_is_consumed_than_there_is) {
  reader from = reader::from("1 2 3");
  (void)from.read<int>();
  EXPECT_DEATH(from.consume(5), "reader_impl.hpp:.*: headrace: more bytes are consumed than buffered.. has");
  from.consume(4);
  EXPECT_TRUE(from.at_end());
}

}  // namespace
