// The reading contract, data/torture.tsv, once more in parts: split at 2, 3, 7 and 64 places, and in pieces that
// several threads take, a case gives the values and the error that it gives to one reader.
#include <headrace/split.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/ends.hpp"
#include "support/share.hpp"
#include "support/torture.hpp"

namespace {

using headrace::reader;
using test::cases, test::line, test::outcome, test::torture_case, test::word;

constexpr std::size_t part_counts[] = {2, 3, 7, 64};

template <class T>
void read_to_the_end(reader& from, outcome& seen) {
  if constexpr (std::is_same_v<T, word>) {
    for (std::string_view found : from.words()) seen.values.emplace_back(found);
  } else if constexpr (std::is_same_v<T, line>) {
    for (std::string_view found : from.lines()) seen.values.emplace_back(found);
  } else {
    for (T value{}; from.try_read(value);) seen.values.push_back(test::show(value));
  }
}

void compare(const torture_case& given, const outcome& seen) {
  EXPECT_EQ(seen.ending, given.ending);
  EXPECT_TRUE(seen.values == given.values) << seen.values.size() << " values";
}

// One part after the other, up to the first error.
template <class T>
void check_parts(const torture_case& given, std::vector<reader> parts) {
  outcome seen;
  seen.ending = "$";
  try {
    for (reader& part : parts) read_to_the_end<T>(part, seen);
  } catch (const headrace::input_error& error) {
    seen.ending = test::ending_of(error);
  }
  compare(given, seen);
}

TEST(split_torture, one_part_after_the_other) {
  test::turns turns;
  for (const torture_case& given : cases()) {
    SCOPED_TRACE(given.id);
    const test::temporary_file file(given.input);
    for (const std::size_t count : part_counts) {
      if (!turns.next()) continue;
      SCOPED_TRACE(count);
      test::with_type(given.type, [&](auto tag) {
        using type = decltype(tag);
        check_parts<type>(given, headrace::split(file.path(), count, headrace::at::line));
        check_parts<type>(given, headrace::split_text(given.input, count, headrace::at::line));
        if constexpr (!std::is_same_v<type, line>) {
          check_parts<type>(given, headrace::split(file.get(), count));
          check_parts<type>(given, headrace::split_text(given.input, count));
        }
      });
    }
  }
}

template <class T>
void check_pieces(const torture_case& given, const std::string& path, std::size_t size) {
  outcome seen;
  seen.ending = "$";
  try {
    for (const T& value : headrace::detail::read_pieces<T>(headrace::detail::input_file(path.c_str()), 3, size)) {
      if constexpr (std::is_same_v<T, std::string>) {
        seen.values.push_back(value);
      } else {
        seen.values.push_back(test::show(value));
      }
    }
    compare(given, seen);
  } catch (const headrace::input_error& error) {  // the values before it are gone
    EXPECT_EQ(test::ending_of(error), given.ending);
    const std::string place = path + ':' + std::to_string(error.line()) + ':' + std::to_string(error.column()) + ':';
    EXPECT_EQ(std::string(error.what()).find(place), 0u) << error.what();
  }
}

TEST(split_torture, in_pieces_on_three_threads) {
  test::turns turns;
  for (const torture_case& given : cases()) {
    if (given.input.empty()) continue;
    SCOPED_TRACE(given.id);
    const test::temporary_file file(given.input);
    for (const std::size_t count : part_counts) {
      if (!turns.next()) continue;
      const std::size_t size = (given.input.size() + count - 1) / count;
      SCOPED_TRACE(size);
      test::with_type(given.type, [&](auto tag) {
        using type = decltype(tag);
        if constexpr (std::is_same_v<type, word>) {
          check_pieces<std::string>(given, file.path(), size);
        } else if constexpr (!std::is_same_v<type, line>) {
          check_pieces<type>(given, file.path(), std::min(size, headrace::detail::piece_size));
        }
      });
    }
  }
}

// Wherever a piece begins and ends: in a token, in the blanks between two, in an error.
TEST(split_torture, in_pieces_of_every_size) {
  test::turns turns;
  for (const torture_case& given : cases()) {
    if (given.input.empty() || given.input.size() > 200) continue;
    SCOPED_TRACE(given.id);
    const test::temporary_file file(given.input);
    for (std::size_t size = 1; size <= given.input.size(); ++size) {
      if (!turns.next()) continue;
      SCOPED_TRACE(size);
      if (given.type == "i32") check_pieces<std::int32_t>(given, file.path(), size);
      if (given.type == "f64") check_pieces<double>(given, file.path(), size);
      if (given.type == "char") check_pieces<char>(given, file.path(), size);
    }
  }
}

}  // namespace
