// The contract of delimited text, data/columns_torture.tsv, once more in parts: split after rows at 2, 3, 7 and 64
// places, and in pieces that several threads take, a case gives the rows and the first error that it gives to one
// reader.
#include <headrace/split.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "support/columns_torture.hpp"
#include "support/ends.hpp"
#include "support/share.hpp"

namespace {

using headrace::delimited, headrace::input_error, headrace::reader;
using test::columns_case, test::columns_cases, test::show_row;
namespace detail = headrace::detail;

constexpr std::size_t part_counts[] = {2, 3, 7, 64};

// Whatever is said of a file: its rows, and its first error.
struct outcome {
  std::string rows;
  std::string error;
};

template <class... T>
struct reading {
  template <class Format>
  static void add_rows(reader& from, const Format& format, outcome& to) {
    try {
      for (const auto& row : from.rows<T...>(format)) to.rows += show_row(row);
    } catch (const input_error& error) {
      to.error = error.what();
    }
  }
  // Calls an action with the format, or with the names of its columns, which cases of two integers alone have: readers
  // of columns with names are other types, and each takes as long to compile.
  template <class Action>
  static auto with_names(const test::named_format& format, Action action) {
    if constexpr (std::is_same_v<std::tuple<T...>, std::tuple<int, int>>) {
      if (!format.names.empty()) {
        const std::string_view names[] = {format.names.at(0), format.names.at(1)};
        return action(headrace::named_columns<2>(format.format, names));
      }
    }
    if (!format.names.empty()) throw std::runtime_error("columns_torture.tsv: names go with int,int and trade alone");
    return action(format.format);
  }
  static outcome by_one_reader(const std::string& path, const test::named_format& format) {
    outcome seen;
    reader from(path);
    with_names(format, [&](const auto& named) { add_rows(from, named, seen); });
    return seen;
  }
  // One part after the other, up to the first error. Threads find the cuts in pieces of `size` bytes.
  static outcome in_parts(const std::string& path, const test::named_format& format, std::size_t parts,
                          std::size_t size) {
    outcome seen;
    try {
      const detail::input_file file(path.c_str());
      const std::uint64_t begin = detail::find_first_row(file, format.format);
      const std::vector<std::uint64_t> cuts = detail::cut_rows(file, begin, parts, format.format, 3, size);
      with_names(format, [&](const auto& named) {
        for (reader& part : detail::make_parts(file, cuts)) {
          if (seen.error.empty()) add_rows(part, named, seen);
        }
      });
    } catch (const input_error& error) {
      seen.error = error.what();
    }
    return seen;
  }

  // On threads, which guess where rows end.
  static outcome folded(const std::string& path, const test::named_format& format, std::size_t parts) {
    outcome seen;
    try {
      const detail::input_file file(path.c_str());
      const auto combine = [](std::string& into, const std::string& next) { into += next; };
      with_names(format, [&](const auto& named) {
        const auto each = [](std::string& rows, const auto& row) { rows += show_row(row); };
        seen.rows = detail::fold_row_parts<T...>(file, named, 3, parts, std::string(), each, combine);
      });
    } catch (const input_error& error) {
      seen.error = error.what();
    }
    return seen;
  }

  template <class Read>
  static outcome as_columns(Read read) {
    outcome seen;
    try {
      const auto all = read();
      std::apply(
          [&](const auto& first, const auto&... rest) {
            for (std::size_t i = 0; i < first.size(); ++i)
              seen.rows += show_row(std::tuple<T...>(first[i], rest[i]...));
          },
          all);
    } catch (const input_error& error) {
      seen.error = error.what();
    }
    return seen;
  }
  template <class Format>
  static void compare_columns(const std::string& path, const Format& format, std::size_t size) {
    const outcome expected = as_columns([&] { return headrace::read_columns<T...>(path, format); });
    const outcome found =
        as_columns([&] { return detail::read_column_pieces<T...>(detail::input_file(path.c_str()), format, 3, size); });
    EXPECT_EQ(found.error, expected.error);
    EXPECT_TRUE(found.rows == expected.rows) << found.rows.substr(0, 200);
  }
  static void in_pieces(const std::string& path, const test::named_format& format, std::size_t size) {
    with_names(format, [&](const auto& named) { compare_columns(path, named, size); });
  }
};

// Calls an action with a reading of the types of a case, where they are those of many cases.
template <class Action>
bool with_types(const std::string& names, Action action) {
  using text = std::string;
  if (names == "text") return action(reading<text>{}), true;
  if (names == "text,text") return action(reading<text, text>{}), true;
  if (names == "int,int") return action(reading<int, int>{}), true;
  if (names == "double,double") return action(reading<double, double>{}), true;
  if (names == "int?,int?") return action(reading<std::optional<int>, std::optional<int>>{}), true;
  if (names == "int,text,double") return action(reading<int, text, double>{}), true;
  return false;
}

// Whether rows that are folded in so many parts begin at wrong places at first.
bool has_wrong_guess(const std::string& path, const delimited& format, std::size_t parts) {
  if (format.quote == '\0') return false;
  try {
    const detail::input_file file(path.c_str());
    const std::uint64_t begin = detail::find_first_row(file, format);
    const std::vector<std::uint64_t> cuts = detail::cut_rows(file, begin, parts, format, 1, 4096);
    const std::vector<std::uint64_t> wanted = detail::equal_parts(begin, file.end(), parts);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] <= cuts[i]) continue;
      char text[256];
      const std::size_t size = file.read(wanted[i] - 1, file.end(), text, sizeof text);
      const detail::cutter guess(format, detail::seems_open(text, text + size, format));
      if (detail::find_cut(file, wanted[i] - 1, file.end(), guess) != cuts[i + 1]) return true;
    }
    return false;
  } catch (const input_error&) {
    return false;  // of the header
  }
}

std::size_t part_of(std::size_t size, std::size_t count) { return size / count + 1; }

// Calls an action with each case of such types, and a file of its input; returns their number.
template <class Action>
std::size_t for_each_case(Action action) {
  std::size_t seen = 0;
  for (const columns_case& given : columns_cases()) {
    const test::named_format format = test::parse_format(given.format);
    SCOPED_TRACE(given.id);
    const test::temporary_file file(given.input);
    seen += with_types(given.types, [&](auto read) { action(read, given, format, file.path()); });
  }
  return seen;
}

TEST(split_columns_torture, one_part_after_the_other) {
  test::turns turns;
  std::size_t errors = 0;
  const std::size_t seen = for_each_case(
      [&](auto read, const columns_case& given, const test::named_format& format, const std::string& path) {
        const outcome expected = read.by_one_reader(path, format);
        errors += !expected.error.empty();
        for (const std::size_t count : part_counts) {
          for (const std::size_t divisor : part_counts) {
            if (!turns.next()) continue;
            const std::size_t size = part_of(given.input.size(), divisor);
            const outcome found = read.in_parts(path, format, count, size);
            EXPECT_EQ(found.error, expected.error) << count << " parts, found in pieces of " << size;
            EXPECT_TRUE(found.rows == expected.rows) << count << " parts, found in pieces of " << size;
          }
        }
      });
  EXPECT_GT(seen, 150u);
  EXPECT_GT(errors, 50u);
}

TEST(split_columns_torture, folded_on_three_threads) {
  test::turns turns;
  std::size_t wrong = 0;
  const std::size_t seen =
      for_each_case([&](auto read, const columns_case&, const test::named_format& format, const std::string& path) {
        const outcome expected = read.by_one_reader(path, format);
        for (std::size_t parts = 1; parts <= 64; parts += parts < 16 ? 1 : 16) {
          if (!turns.next()) continue;
          const outcome found = read.folded(path, format, parts);
          EXPECT_EQ(found.error, expected.error) << parts << " parts";
          EXPECT_TRUE(!expected.error.empty() || found.rows == expected.rows) << parts << " parts";
          wrong += has_wrong_guess(path, format.format, parts);
        }
      });
  EXPECT_GT(seen, 150u);
  EXPECT_GT(wrong, 20u / test::share());
}

TEST(split_columns_torture, in_pieces_on_three_threads) {
  test::turns turns;
  const std::size_t seen = for_each_case(
      [&](auto read, const columns_case& given, const test::named_format& format, const std::string& path) {
        for (const std::size_t count : part_counts) {
          if (!turns.next()) continue;
          read.in_pieces(path, format, std::min(part_of(given.input.size(), count), detail::piece_size));
        }
      });
  EXPECT_GT(seen, 170u);
}

// Wherever a cut is wanted, and wherever a piece ends: in a field, in quotes, in a comment, in an error.
TEST(split_columns_torture, cut_everywhere) {
  test::turns turns;
  for_each_case([&](auto read, const columns_case& given, const test::named_format& format, const std::string& path) {
    if (given.input.size() > 60) return;
    const outcome expected = read.by_one_reader(path, format);
    for (std::size_t size = 1; size <= given.input.size(); ++size) {
      if (!turns.next()) continue;
      SCOPED_TRACE(size);
      read.in_pieces(path, format, size);
      const outcome found = read.in_parts(path, format, given.input.size() / size + 1, size);
      EXPECT_EQ(found.error, expected.error);
      EXPECT_TRUE(found.rows == expected.rows);
    }
  });
}

}  // namespace
