// Rows that are kept aside, against an oracle that asks for row after row and passes over each that is refused: random
// tables with random damage, in every way of reading them, on one thread and on several, in pieces of any size, with
// and without a limit.
#include <headrace/split.hpp>

#include <gtest/gtest.h>

#include <cerrno>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "support/ends.hpp"
#include "support/errors.hpp"
#include "support/share.hpp"
#include "support/soak.hpp"

namespace {

using headrace::csv;
using headrace::delimited;
using headrace::rejects;

using row = std::tuple<std::string, int, std::optional<double>>;

class table_maker {
 public:
  explicit table_maker(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return random_() % limit; }
  std::string make(std::size_t rows, const delimited& format) {
    std::string text = format.has_header ? "name,id,weight\n" : "";
    for (; rows != 0; --rows) {
      text += name() + ',' + std::to_string(static_cast<int>(random_()) >> below(31)) + ',';
      text += below(5) == 0 ? "" : below(4) == 0 ? "\"1.5\"" : std::to_string(below(1000)) + ".25";
      text += below(6) == 0 ? "\r\n" : "\n";
      if (below(30) == 0) text += format.comment != '\0' && below(2) == 0 ? "# \"\n" : "\n";
    }
    if (below(3) == 0 && !text.empty()) text.pop_back();
    return text;
  }
  // From its first row on.
  void damage(std::string& text, std::size_t first) {
    if (text.size() <= first) return;
    for (std::size_t i = below(1 + text.size() / 50) + 1; i != 0; --i)
      text[first + below(text.size() - first)] = "x\",\n\r5#"[below(7)];
  }

 private:
  std::string name() {
    static const char* const parts[] = {"a", "bc", "\n", ",", "\"\"", " ", "n,1,2\n", "word", "\r\n", "\"\",5\n"};
    if (below(2) == 0) return "plain" + std::to_string(below(100));
    std::string text = "\"";
    for (std::size_t i = below(5); i != 0; --i) text += parts[below(10)];
    return text + '"';
  }

  std::mt19937 random_;
};

// Rows that arrive, and of each bad one its number, its place and what is said.
struct outcome {
  std::string rows;
  std::string bad;
  std::size_t count = 0;  // of these

  void add(const row& next) {
    rows += std::get<0>(next) + '|' + std::to_string(std::get<1>(next)) + '|' +
            (std::get<2>(next) ? std::to_string(*std::get<2>(next)) : "-") + '\n';
  }
  void add(const headrace::input_error& error, std::uint64_t number) {
    ++count;
    bad += std::to_string(number) + ' ' + std::to_string(error.offset()) + ' ' + std::to_string(error.line()) + ':' +
           std::to_string(error.column()) + ' ' + std::string(error.token()) + ' ' + error.what() + '\n';
  }
  void add(const rejects& aside) {
    for (const headrace::rejected_row& each : aside) add(each.error(), each.row());
  }
};

outcome expected_of(const std::string& path, const delimited& format, std::size_t limit) {
  outcome all;
  headrace::reader file(path);
  auto rows = file.rows<std::string, int, std::optional<double>>(format);
  row next;
  for (std::uint64_t number = 1; all.count < limit; ++number) {
    const headrace::read_result result = rows.parse_row(next);
    if (!result && result.error->at_end()) break;
    if (result) {
      all.add(next);
    } else {
      all.add(*result.error, number);
      EXPECT_TRUE(rows.skip_row());
    }
  }
  return all;
}

template <class Columns>
outcome columns_outcome(const Columns& columns, const rejects& aside) {
  outcome all;
  const auto& [names, numbers, weights] = columns;
  for (std::size_t i = 0; i < names.size(); ++i) all.add(row(std::string(names[i]), numbers[i], weights[i]));
  all.add(aside);
  return all;
}

void expect_equal(const outcome& found, const outcome& expected) {
  ASSERT_EQ(found.bad, expected.bad);
  ASSERT_EQ(found.rows, expected.rows);
}

void check(const std::string& path, const delimited& format, std::size_t limit, std::size_t size) {
  namespace detail = headrace::detail;
  using weight = std::optional<double>;
  const outcome expected = expected_of(path, format, limit);
  {
    outcome found;
    rejects aside(limit);
    headrace::reader file(path);
    for (const row& next : file.rows<std::string, int, weight>(format, aside)) found.add(next);
    found.add(aside);
    expect_equal(found, expected);
  }
  {
    rejects aside(limit);
    const auto columns = headrace::read_columns<std::string, int, weight>(path, format, aside);
    expect_equal(columns_outcome(columns, aside), expected);
  }
  const detail::input_file file(path.c_str());
  for (const unsigned count : {1u, 2u, 3u, 17u}) {
    rejects aside(limit);
    const auto columns = detail::read_column_pieces<headrace::text, int, weight>(file, format, count, size, &aside);
    expect_equal(columns_outcome(columns, aside), expected);
    if (::testing::Test::HasFatalFailure()) return;
    rejects folded(limit);
    outcome found;
    const auto add = [](outcome& to, const row& next) { to.add(next); };
    const auto combine = [](outcome& to, const outcome& from) { to.rows += from.rows; };
    found = detail::fold_row_parts<std::string, int, weight>(
        file, format, count, 1 + static_cast<std::size_t>(file.size()) / size, outcome(), add, combine, &folded);
    found.add(folded);
    expect_equal(found, expected);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

void check_random(table_maker& random) {
  const delimited formats[] = {csv, csv.with_header(), csv.with_comments('#'), csv.without_quotes()};
  const delimited& format = formats[random.below(4)];
  std::string text = random.make(random.below(random.below(10) == 0 ? 400 : 30), format);
  if (random.below(8) != 0) random.damage(text, format.has_header ? 15 : 0);
  const test::temporary_file file(text);
  const std::size_t limit = random.below(2) == 0 ? rejects::no_limit : 1 + random.below(6);
  SCOPED_TRACE(text);
  check(file.path(), format, limit, random.below(2) == 0 ? 1 + random.below(60) : 1 + random.below(text.size() + 1));
}

TEST(split_rejects, are_those_of_the_oracle) {
  table_maker random(21);
  for (int round = 0; round < test::share_of(1500) && !HasFatalFailure(); ++round) check_random(random);
}

TEST(split_rejects, soak) {
  test::soak run("damaged tables");
  table_maker random(run.seed());
  while (run.goes_on() && !HasFatalFailure()) check_random(random);
}

TEST(split_rejects, of_a_matrix) {
  table_maker random(22);
  for (int round = 0; round < test::share_of(400); ++round) {
    std::string text;
    const std::size_t width = 1 + random.below(4);
    for (std::size_t i = 1 + random.below(200); i != 0; --i) {
      for (std::size_t j = 0; j < width; ++j)
        text += std::to_string(random.below(1000)) + (j + 1 == width ? "\n" : ",");
    }
    random.damage(text, 0);
    SCOPED_TRACE(text);
    const test::temporary_file file(text);
    const std::size_t limit = random.below(2) == 0 ? rejects::no_limit : 1 + random.below(4);
    outcome serial, found;
    rejects aside(limit);
    const auto expected = headrace::read_matrix<int>(file.path(), csv, aside);
    serial.add(aside);
    std::size_t good = 0;
    headrace::reader records(file.path());
    rejects malformed;
    if (limit == rejects::no_limit) {
      for (const headrace::record next : records.records(csv, malformed)) {
        std::vector<int> values;
        try {
          for (std::size_t i = 0; i < next.size(); ++i) values.push_back(next.get<int>(i));
        } catch (const headrace::input_error& error) {
          EXPECT_NE(serial.bad.find(error.what()), std::string::npos);
          continue;
        }
        ASSERT_LT(good, expected.rows());
        ASSERT_TRUE(std::equal(values.begin(), values.end(), expected[good++]));
      }
      EXPECT_EQ(good, expected.rows());
    }
    for (const unsigned count : {1u, 2u, 3u, 17u}) {
      rejects other(limit);
      const auto values = headrace::detail::read_matrix_pieces<int>(headrace::detail::input_file(file.path().c_str()),
                                                                    csv, count, 1 + random.below(300), &other);
      outcome all;
      all.add(other);
      ASSERT_EQ(all.bad, serial.bad);
      ASSERT_EQ(values.rows(), expected.rows());
      ASSERT_TRUE(std::equal(values.values().begin(), values.values().end(), expected.values().begin()));
    }
  }
}

// A file that is worth its threads.
TEST(split_rejects, of_a_large_file) {
  table_maker random(23);
  std::string text = random.make(60000, csv);
  for (int i = 0; i < 600; ++i) text[random.below(text.size())] = 'x';
  text += "\n\"open,1,2\nthe,3,4\nend,5,6\n";
  const test::temporary_file file(text);
  using weight = std::optional<double>;
  for (const std::size_t limit : {std::size_t(100), rejects::no_limit}) {
    const outcome expected = expected_of(file.path(), csv, limit);
    for (const unsigned count : {1u, 2u, 3u, 17u}) {
      rejects aside(limit), folded(limit);
      const headrace::threads on{count};
      const auto columns = headrace::read_columns<std::string, int, weight>(file.path(), csv, on, aside);
      const outcome found = columns_outcome(columns, aside);
      EXPECT_TRUE(found.rows == expected.rows);
      EXPECT_TRUE(found.bad == expected.bad);
      const auto sum = headrace::for_each_row<std::string, int, weight>(
          file.path(), csv, on, std::size_t(0), [](std::size_t& rows, const row&) { ++rows; },
          [](std::size_t& to, std::size_t from) { to += from; }, folded);
      EXPECT_EQ(sum, std::get<1>(columns).size());
      EXPECT_EQ(folded.size(), aside.size());
    }
    if (limit == rejects::no_limit) {
      EXPECT_NE(expected.bad.find("the quote that opens here is never closed"), std::string::npos);
      EXPECT_NE(expected.rows.find("the|3|4"), std::string::npos);
    }
  }
}

// Fails once, in the middle of a row that is refused.
struct source_that_fails_once {
  const char* const parts[4] = {"1,2\n3,a\"b", nullptr, "c\n5,6\n", ""};
  unsigned next = 0;

  long read(char* to, std::size_t) {
    const char* const part = parts[next];
    next += next < 3;
    if (part == nullptr) return errno = EIO, -1;
    return static_cast<long>(std::string_view(part).copy(to, 64));
  }
};

TEST(split_rejects, are_noted_once_though_reading_on_fails) {
  for (const std::size_t limit : {1u, 2u}) {
    source_that_fails_once source;
    headrace::reader from = headrace::reader::from(source);
    rejects aside(limit);
    auto rows = from.rows<int, int>(csv, aside);
    std::tuple<int, int> next;
    EXPECT_TRUE(rows.try_read_row(next));
    EXPECT_THROW((void)rows.try_read_row(next), headrace::input_error);
    EXPECT_EQ(rows.try_read_row(next), limit == 2);
    EXPECT_EQ(std::get<0>(next), limit == 2 ? 5 : 1);
    ASSERT_EQ(aside.size(), 1u);
    EXPECT_EQ(aside.begin()->row(), 2u);
  }
}

// Their words are found when somebody asks, which may be after all else is gone.
TEST(split_rejects, outlive_what_they_are_of) {
  std::vector<headrace::rejected_row> kept;
  {
    std::string text = "name,n\na,1\nb,3000000000\nc\n";
    headrace::reader from = headrace::reader::from(text);
    rejects aside;
    EXPECT_EQ(std::get<0>(headrace::read_columns<std::string, int>(from, csv.with_header("name", "n"), aside)).size(),
              1u);
    kept.assign(aside.begin(), aside.end());
    text.assign(text.size(), 'x');
  }
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_STREQ(
      kept[0].what(),
      "<memory>:3:3: column 2 \"n\": expected an integer from -2147483648 to 2147483647, found \"3000000000\"");
  EXPECT_EQ(kept[0].error().code(), headrace::errc::out_of_range);
  EXPECT_EQ(kept[0].error().token(), "3000000000");
  EXPECT_STREQ(kept[1].error().what(), "<memory>:4:1: expected 2 fields, found 1");
  EXPECT_EQ(kept[1].error().code(), headrace::errc::malformed);
}

TEST(split_rejects, are_written_and_have_a_limit) {
  const std::string text = "1,2\nx,\"3\n4,5\n6\n7,8\n";
  headrace::reader from = headrace::reader::from(text);
  rejects aside(2);
  std::string seen;
  for (const auto& [a, b] : from.rows<int, int>(csv, aside)) seen += std::to_string(a) + ',' + std::to_string(b) + ';';
  EXPECT_EQ(seen, "1,2;4,5;");
  EXPECT_TRUE(aside.is_full());
  EXPECT_EQ(from.read_line(), "7,8");
  const test::temporary_file file("");
  headrace::write_rejects(file.path(), aside);
  headrace::reader written(file.path());
  std::string lines;
  for (const std::string_view line : written.lines()) lines += std::string(line) + '\n';
  EXPECT_EQ(lines,
            "row,line,column,token,message\n"
            "2,2,3,,<memory>:2:3: column 2: the quote that opens here is never closed\n"
            "4,4,1,,\"<memory>:4:1: expected 2 fields, found 1\"\n");
  headrace::reader other = headrace::reader::from("1,2\n");
  EXPECT_TRUE(std::get<0>(headrace::read_columns<int, int>(other, csv, aside)).empty());
  aside.clear();
  EXPECT_EQ(std::get<0>(headrace::read_columns<int, int>(other, csv, aside)).size(), 1u);
  headrace::reader refused = headrace::reader::from("a,b\n1,2\n");
  EXPECT_EQ(test::error_of([&] { (void)headrace::read_columns<int>(refused, csv.with_header("c"), aside); }).what(),
            std::string("<memory>:1:1: the header has no column \"c\""));
}

}  // namespace
