// The contract of delimited text, data/columns_torture.tsv, case by case: from memory, from a file, cut into two reads
// at every place, and byte by byte; asked for row by row in each way, and as whole columns; under each kernel.
#include "support/scripted_read.hpp"  // before headrace

#include <headrace/columns.hpp>

#include <gtest/gtest.h>

#if !defined(_WIN32)
#include <sys/resource.h>
#endif

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/columns_torture.hpp"
#include "support/ends.hpp"
#include "support/share.hpp"

namespace {

using headrace::delimited;
using headrace::input_error;
using headrace::reader;
using headrace::skip;
using test::columns_case, test::columns_cases, test::named_format, test::parse_format, test::show, test::show_row;

// ---- the ways of asking ----

enum class way { loop, parse, columns };

struct trade {
  std::string_view symbol;
  double price;
  std::uint32_t volume;
};

template <class... T>
struct types {};

template <class... T>
constexpr bool all_can_be_columns = !(std::is_same_v<T, std::string_view> || ...) &&
                                    !(std::is_same_v<T, skip> || ...) && !(std::is_same_v<T, trade> || ...);

// Stops at the first error; where `goes_on`, passes over the row instead.
template <class... T, class Format>
std::string read_rows(reader& from, const Format& format, bool goes_on) {
  std::string seen;
  auto rows = from.rows<T...>(format);
  typename decltype(rows)::value_type row{};
  for (;;) {
    const headrace::read_result result = rows.parse_row(row);
    if (result) {
      seen += show_row(row);
      continue;
    }
    if (result.error->at_end()) return seen + '$';
    const std::uint64_t before = from.where().offset;
    seen += show(*result.error, from);
    EXPECT_EQ(from.where().offset, before);
    if (!goes_on) return seen;
    EXPECT_TRUE(rows.skip_row());
    EXPECT_GT(from.where().offset, before);
    seen += '~';
  }
}

template <class... T, class Format>
std::string read_in_a_loop(reader& from, const Format& format) {
  std::string seen;
  try {
    for (const auto& row : from.rows<T...>(format)) seen += show_row(row);
  } catch (const input_error& error) {
    return seen + show(error, from);
  }
  return seen + '$';
}

template <class... T, class Format, std::size_t... I>
std::string read_as_columns(reader& from, const Format& format, std::index_sequence<I...>) {
  std::string seen;
  try {
    const auto all = headrace::read_columns<T...>(from, format);
    for (std::size_t row = 0; row < std::get<0>(all).size(); ++row) {
      seen += show_row(std::tuple<T...>(std::get<I>(all)[row]...));
    }
  } catch (const input_error& error) {
    return show(error, from);
  }
  return seen + '$';
}

template <class... T, class Format>
std::string ask(reader& from, const Format& format, way how, bool goes_on) {
  if (how == way::loop && !goes_on) return read_in_a_loop<T...>(from, format);
  if constexpr (all_can_be_columns<T...>) {
    if (how == way::columns && !goes_on) return read_as_columns<T...>(from, format, std::index_sequence_for<T...>());
  }
  return read_rows<T...>(from, format, goes_on);
}

template <std::size_t Count, class... T>
std::string ask_by_name(reader& from, const named_format& format, way how, bool goes_on) {
  if (format.names.empty()) return ask<T...>(from, format.format, how, goes_on);
  std::string_view names[Count];
  for (std::size_t i = 0; i < Count; ++i) names[i] = format.names.at(i);
  return ask<T...>(from, headrace::named_columns<Count>(format.format, names), how, goes_on);
}

// Without names of columns, whose readers are other types: each takes as long to compile.
template <class... T>
std::string ask_for(reader& from, const named_format& format, way how, bool goes_on) {
  if (!format.names.empty()) throw std::runtime_error("columns_torture.tsv: names go with int,int and trade alone");
  return ask<T...>(from, format.format, how, goes_on);
}

using asker = std::string (*)(reader&, const named_format&, way, bool);
using text = std::string;
using view = std::string_view;

const std::map<std::string, asker>& askers() {
  static const std::map<std::string, asker> all = {
      {"text", ask_for<text>},
      {"text,text", ask_for<text, text>},
      {"text,text,text", ask_for<text, text, text>},
      {"view,view", ask_for<view, view>},
      {"view,view,view", ask_for<view, view, view>},
      {"int", ask_for<int>},
      {"int,int", ask_by_name<2, int, int>},
      {"i8", ask_for<std::int8_t>},
      {"u8", ask_for<std::uint8_t>},
      {"u8,u8", ask_for<std::uint8_t, std::uint8_t>},
      {"u16", ask_for<std::uint16_t>},
      {"u32", ask_for<std::uint32_t>},
      {"i64", ask_for<std::int64_t>},
      {"i64,i64", ask_for<std::int64_t, std::int64_t>},
      {"u64", ask_for<std::uint64_t>},
      {"double", ask_for<double>},
      {"double,double", ask_for<double, double>},
      {"float", ask_for<float>},
      {"bool", ask_for<bool>},
      {"bool,char", ask_for<bool, char>},
      {"char", ask_for<char>},
      {"int?", ask_for<std::optional<int>>},
      {"int?,int?", ask_for<std::optional<int>, std::optional<int>>},
      {"int?,int", ask_for<std::optional<int>, int>},
      {"double?,int?", ask_for<std::optional<double>, std::optional<int>>},
      {"text?", ask_for<std::optional<text>>},
      {"text?,text?", ask_for<std::optional<text>, std::optional<text>>},
      {"bool?,char?", ask_for<std::optional<bool>, std::optional<char>>},
      {"int,text,double", ask_for<int, text, double>},
      {"int,skip,text", ask_for<int, skip, text>},
      {"skip,skip", ask_for<skip, skip>},
      {"trade", ask_by_name<3, trade>},
  };
  return all;
}

void check(const columns_case& given, reader& from, way how) {
  const auto found = askers().find(given.types);
  ASSERT_NE(found, askers().end()) << given.types;
  const bool goes_on = given.expected.find('~') != std::string::npos;
  std::string seen = found->second(from, parse_format(given.format), how, goes_on);
  std::string expected = given.expected;
  const std::size_t error = expected.find('!');
  if (how == way::columns && !goes_on && error != std::string::npos && seen[0] == '!') expected.erase(0, error);
  if (seen.size() > 2000) {
    EXPECT_TRUE(seen == expected) << seen.substr(0, 200) << "... and " << seen.substr(seen.size() - 200);
  } else {
    EXPECT_EQ(seen, expected);
  }
}

constexpr way every_way[] = {way::loop, way::parse, way::columns};

// ---- how the input arrives ----

constexpr std::size_t long_input = 3000;

TEST(columns_torture, cases_are_there) {
  EXPECT_GE(columns_cases().size(), 120u);
  std::map<std::string, int> seen;
  for (const columns_case& given : columns_cases()) EXPECT_EQ(seen[given.id]++, 0) << given.id << " is there twice";
}

TEST(columns_torture, from_memory) {
  for (const columns_case& given : columns_cases()) {
    SCOPED_TRACE(given.id);
    for (const way how : every_way) {
      reader from = reader::from(given.input);
      check(given, from, how);
    }
  }
}

TEST(columns_torture, from_a_file) {
  for (const columns_case& given : columns_cases()) {
    SCOPED_TRACE(given.id);
    const test::temporary_file file(given.input);
    for (const way how : every_way) {
      reader from(file.path());
      check(given, from, how);
    }
  }
}

TEST(columns_torture, in_two_reads) {
  const std::size_t share = test::share();
  const test::pipe_ends pipe = test::make_pipe();
  std::size_t turn = 0;  // goes on from case to case, so that each place and each way takes its turn
  for (const columns_case& given : columns_cases()) {
    const std::size_t size = given.input.size(), step = size < long_input ? 1 : size / 97 + 1;
    for (std::size_t cut = 1; cut < size; cut += step) {
      if (turn++ % share != 0) continue;
      SCOPED_TRACE(given.id + " cut at " + std::to_string(cut));
      test::scripted_read script(pipe.read.get(), given.input,
                                 [cut](std::size_t at) { return at < cut ? cut - at : std::size_t(-1); });
      reader from(pipe.read.get());
      check(given, from, every_way[turn / share % 3]);
    }
  }
}

TEST(columns_torture, byte_by_byte) {
  const test::pipe_ends pipe = test::make_pipe();
  for (const columns_case& given : columns_cases()) {
    if (given.input.size() > 10 * long_input) continue;
    SCOPED_TRACE(given.id);
    for (const way how : every_way) {
      test::scripted_read script(pipe.read.get(), given.input, [](std::size_t) { return std::size_t(1); });
      reader from(pipe.read.get());
      check(given, from, how);
    }
  }
}

// The texts of a window that had doubled quotes are then longer than the window.
TEST(columns_torture, a_column_that_is_asked_for_six_times) {
  for (const std::size_t most : {3u, 300u, 6000u, 40000u}) {
    std::string input = "a;b\n";
    std::vector<std::string> expected;
    for (std::size_t i = 0; input.size() < 200000; ++i) {
      const std::size_t quotes = i * 7919 % most;
      expected.push_back(std::string(quotes, '"') + 'x');
      input += '"' + std::string(2 * quotes, '"') + "x\";0.5\n";
    }
    const auto format = delimited(';').with_header("a", "a", "a", "a", "a", "a", "b");
    reader from = reader::from(input);
    std::size_t row = 0;
    for (const auto& [a, b, c, d, e, f, number] : from.rows<view, view, view, view, view, view, double>(format)) {
      ASSERT_LT(row, expected.size());
      for (const view seen : {a, b, c, d, e, f}) ASSERT_TRUE(seen == expected[row]) << row << " of " << most;
      ASSERT_EQ(number, 0.5);
      ++row;
    }
    ASSERT_EQ(row, expected.size());
  }
}

// What is too much in a row is counted, and takes no memory but the text's own.
TEST(columns_torture, a_row_with_millions_of_fields_too_many) {
  const auto largest_size = [] {  // of this process so far, in KiB; not known on Windows
#if defined(_WIN32)
    return 0L;
#else
    struct rusage used = {};
    ::getrusage(RUSAGE_SELF, &used);
#if defined(__APPLE__)
    used.ru_maxrss /= 1024;
#endif
    return used.ru_maxrss;
#endif
  };
  const auto read = [](std::size_t commas) {
    const std::string input = std::string(commas, ',') + "\n1,2\n";
    reader from = reader::from(input);
    EXPECT_EQ((read_rows<int, int>(from, headrace::csv, true)),
              "!1:1: expected 2 fields, found " + std::to_string(commas + 1) + "~1|2/$");
  };
  const long before = largest_size();
  read(8000000);
  EXPECT_LT(largest_size() - before, 100 * 1024);
}

// Many rows before those of the case: so they are taken by a kernel, in a window that is full.
TEST(columns_torture, after_a_window_of_good_rows) {
  const std::map<std::string, std::string> good = {{"text,text", "a,bc\n"},
                                                   {"view,view", "a,bc\n"},
                                                   {"int,int", "1,23\n"},
                                                   {"int,text,double", "7,x,0.5\n"},
                                                   {"double,double", "1.5,2\n"}};
  const std::map<std::string, std::string> shown = {{"text,text", "a|bc/"},
                                                    {"view,view", "a|bc/"},
                                                    {"int,int", "1|23/"},
                                                    {"int,text,double", "7|x|0.5/"},
                                                    {"double,double", "1.5|2/"}};
  int checked = 0;
  std::size_t turn = 0;
  for (const columns_case& given : columns_cases()) {
    if (given.format != "csv" || good.count(given.types) == 0 || given.input.substr(0, 1) == "\xef") continue;
    SCOPED_TRACE(given.id);
    for (const std::size_t count : {1u, 7u, 100u, 3300u, 5000u}) {
      columns_case longer = given;
      std::string input, rows;
      for (std::size_t i = 0; i < count; ++i) {
        input += good.at(given.types);
        rows += shown.at(given.types);
      }
      longer.input = input + given.input;
      for (std::size_t at = 0; (at = longer.expected.find('!', at)) != std::string::npos; ++at) {  // later lines
        const std::size_t colon = longer.expected.find(':', at);
        const std::string line = std::to_string(std::stoul(longer.expected.substr(at + 1)) + count);
        longer.expected.replace(at + 1, colon - at - 1, line);
      }
      longer.expected = rows + longer.expected;
      for (const way how : every_way) {
        if (turn++ % test::share() != 0) continue;
        reader from = reader::from(longer.input);
        check(longer, from, how);
      }
      ++checked;
    }
    ++turn;  // so that each way takes its turn
  }
  EXPECT_GT(checked, 100);
}

}  // namespace
