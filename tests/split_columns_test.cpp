// Tables in pieces on several threads against one reader: random rows with quotes, newlines in them, comments and empty
// lines, cut anywhere; and the same with bytes that were changed, for the first error.
#include <headrace/split.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "support/ends.hpp"
#include "support/share.hpp"

namespace {

using headrace::csv;
using headrace::delimited;

class table_maker {
 public:
  explicit table_maker(unsigned seed) : random_(seed) {}

  std::string make(std::size_t rows, const delimited& format) {
    std::string text = format.has_header ? "name,id,weight,note\n" : "";
    for (std::size_t i = 0; i < rows; ++i) {
      if (format.comment != '\0' && one_in(9)) text += "# it's \"open\n";
      if (one_in(20)) text += "\n";
      text += words() + ',' + std::to_string(static_cast<int>(random_()) >> (random_() % 31)) + ',';
      text += one_in(5) ? "" : one_in(3) ? "\"1.5e3\"" : std::to_string(random_() % 1000) + ".25";
      text += ',' + words() + (one_in(4) ? "\r\n" : "\n");
    }
    if (one_in(3) && text.size() > 1 && text[text.size() - 2] != '\r') text.pop_back();
    return text;
  }
  // Most of them make a table that has an error.
  void change(std::string& text) {
    for (unsigned i = 0; i < 1 + random_() % 2; ++i) text[random_() % text.size()] = "x\",\n\r5"[random_() % 6];
  }
  std::size_t below(std::size_t limit) { return random_() % limit; }
  bool one_in(unsigned n) { return random_() % n == 0; }

 private:
  std::string words() {
    static const char* const parts[] = {"a", "bc", "\n", ",", "\"\"", " ", "1,2,3,4\n", "word", "\r\n", "\"\",5\n"};
    if (one_in(2)) return "plain" + std::to_string(random_() % 100);
    std::string text = "\"";
    for (std::size_t i = random_() % 8; i != 0; --i) text += parts[random_() % 10];
    return text + '"';
  }

  std::mt19937 random_;
};

// What an action returns, or the line of its error.
template <class Action>
auto outcome_of(Action action, std::string& error) -> std::optional<decltype(action())> {
  try {
    return action();
  } catch (const headrace::input_error& failed) {
    error = failed.what();
    return std::nullopt;
  }
}

template <class T>
bool are_equal(const headrace::column<T>& a, const headrace::column<T>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}
bool are_equal(const headrace::text_column& a, const headrace::column<std::string>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

template <class Format>
void compare_columns(const std::string& path, const Format& format, std::size_t size) {
  namespace detail = headrace::detail;
  std::string expected_error, error;
  const auto expected = outcome_of(
      [&] { return headrace::read_columns<std::string, int, std::optional<double>, headrace::skip>(path, format); },
      expected_error);
  const auto found = outcome_of(
      [&] {
        return detail::read_column_pieces<std::string, int, std::optional<double>, headrace::skip>(
            detail::input_file(path.c_str()), format, 3, size);
      },
      error);
  EXPECT_EQ(error, expected_error);
  ASSERT_EQ(found.has_value(), expected.has_value());
  if (!found.has_value()) return;
  EXPECT_TRUE(are_equal(std::get<0>(*found), std::get<0>(*expected)));
  EXPECT_TRUE(are_equal(std::get<1>(*found), std::get<1>(*expected)));
  EXPECT_TRUE(are_equal(std::get<2>(*found), std::get<2>(*expected)));
}

// Of text, the same as of std::string.
template <class Format>
void compare_texts(const std::string& path, const Format& format, unsigned count, std::size_t size) {
  using headrace::text, std::string;
  std::string expected_error, error, serial_error;
  const auto expected =
      outcome_of([&] { return headrace::read_columns<string, int, string, string>(path, format); }, expected_error);
  const auto serial =
      outcome_of([&] { return headrace::read_columns<text, int, text, string>(path, format); }, serial_error);
  const auto found = outcome_of(
      [&] {
        return headrace::detail::read_column_pieces<text, int, text, string>(headrace::detail::input_file(path.c_str()),
                                                                             format, count, size);
      },
      error);
  EXPECT_EQ(error, expected_error);
  EXPECT_EQ(serial_error, expected_error);
  ASSERT_EQ(found.has_value(), expected.has_value());
  ASSERT_EQ(serial.has_value(), expected.has_value());
  if (!expected.has_value()) return;
  for (const auto* const each : {&*serial, &*found}) {
    EXPECT_TRUE(are_equal(std::get<0>(*each), std::get<0>(*expected)));
    EXPECT_TRUE(are_equal(std::get<1>(*each), std::get<1>(*expected)));
    EXPECT_TRUE(are_equal(std::get<2>(*each), std::get<2>(*expected)));
  }
}

TEST(split_columns, of_text_are_those_of_strings) {
  table_maker random(7);
  for (int round = 0; round < test::share_of(400); ++round) {
    SCOPED_TRACE(round);
    const delimited format = round % 3 == 0   ? csv.with_comments('#')
                             : round % 3 == 1 ? csv.with_header()
                                              : csv.trimmed().with_comments('#');
    std::string text = random.make(random.below(200), format);
    if (round % 4 == 3 && !text.empty()) random.change(text);
    const test::temporary_file file(text);
    const std::size_t size = random.one_in(2) ? 1 + random.below(40) : 1 + random.below(text.size() + 1);
    compare_texts(file.path(), format, 1 + static_cast<unsigned>(random.below(17)), size);
    if (format.has_header) compare_texts(file.path(), csv.with_header("note", "id", "weight", "name"), 3, size);
  }
}

TEST(split_columns, are_those_of_one_reader) {
  table_maker random(1);
  int errors = 0;
  for (int round = 0; round < test::share_of(400); ++round) {
    SCOPED_TRACE(round);
    const delimited format = random.one_in(2) ? csv.with_comments('#') : csv;
    std::string text = random.make(random.below(200), format);
    if (round % 2 == 1 && !text.empty()) random.change(text);
    const test::temporary_file file(text);
    const std::size_t size = random.one_in(2) ? 1 + random.below(40) : 1 + random.below(text.size() + 1);
    compare_columns(file.path(), format, size);
    std::string error;
    const auto serial = outcome_of(
        [&] { return headrace::read_columns<std::string, int, double, headrace::skip>(file.path(), format); }, error);
    errors += !serial.has_value();
  }
  EXPECT_GT(errors, test::share_of(100));
}

TEST(split_columns, are_found_by_their_names) {
  table_maker random(2);
  for (int round = 0; round < test::share_of(60); ++round) {
    SCOPED_TRACE(round);
    std::string text = random.make(random.below(100), csv.with_header());
    if (round % 3 == 2) random.change(text);
    const test::temporary_file file(text);
    const std::size_t size = 1 + random.below(200);
    compare_columns(file.path(), csv.with_header("note", "id", "weight", "name"), size);
    compare_columns(file.path(), csv.with_header(), size);
    compare_columns(file.path(), csv.with_header("note", "id", "weight", "nobody"), size);
  }
}

TEST(split_columns, make_a_matrix) {
  table_maker random(3);
  for (int round = 0; round < test::share_of(100); ++round) {
    SCOPED_TRACE(round);
    const std::size_t width = 1 + random.below(6);
    std::string text;
    for (std::size_t i = random.below(300); i != 0; --i) {
      for (std::size_t j = 0; j < width; ++j)
        text += std::to_string(random.below(100000)) + (j + 1 == width ? '\n' : ',');
    }
    if (round % 3 == 2 && !text.empty()) random.change(text);
    const test::temporary_file file(text);
    std::string expected_error, error;
    const auto expected = outcome_of([&] { return headrace::read_matrix<double>(file.path(), csv); }, expected_error);
    const std::size_t size = 1 + random.below(300);
    const auto found = outcome_of(
        [&] {
          return headrace::detail::read_matrix_pieces<double>(headrace::detail::input_file(file.path().c_str()), csv, 3,
                                                              size);
        },
        error);
    EXPECT_EQ(error, expected_error);
    if (!found.has_value() || !expected.has_value()) continue;
    EXPECT_EQ(found->columns(), expected->columns());
    EXPECT_TRUE(are_equal(found->values(), expected->values()));
  }
}

// A file that is worth its threads, with a text of more than a piece that makes every guess in it wrong.
TEST(split_columns, of_a_large_file) {
  table_maker random(4);
  std::string text = random.make(20000, csv);
  if (text.back() != '\n') text += '\n';
  text += '"';
  for (int i = 0; i < 60000; ++i) text += "1,2,3,4\n";
  text += "\",5,6,7\n" + random.make(20000, csv);
  const test::temporary_file file(text);
  const auto expected = headrace::read_columns<std::string, int, std::optional<double>, std::string>(file.path(), csv);
  for (const unsigned count : {1u, 2u, 4u}) {
    const auto found = headrace::read_columns<std::string, int, std::optional<double>, std::string>(
        file.path(), csv, headrace::threads{count});
    EXPECT_TRUE(are_equal(std::get<0>(found), std::get<0>(expected)));
    EXPECT_TRUE(are_equal(std::get<1>(found), std::get<1>(expected)));
    EXPECT_TRUE(are_equal(std::get<2>(found), std::get<2>(expected)));
    EXPECT_TRUE(are_equal(std::get<3>(found), std::get<3>(expected)));
  }
}

// More than large pages hold, so that texts are placed at once, whoever brings them.
TEST(split_columns, of_text_of_a_large_file) {
  table_maker random(8);
  std::string text;
  while (text.size() < std::size_t(9) << 20) text += random.make(50000, csv) + '\n';
  const test::temporary_file file(text);
  const auto expected = headrace::read_columns<std::string, int, std::string, std::string>(file.path(), csv);
  for (const unsigned count : {1u, 2u, 3u, 17u}) {
    using headrace::text;
    const auto found = headrace::read_columns<text, int, text, text>(file.path(), csv, headrace::threads{count});
    EXPECT_TRUE(are_equal(std::get<0>(found), std::get<0>(expected)));
    EXPECT_TRUE(are_equal(std::get<2>(found), std::get<2>(expected)));
    EXPECT_TRUE(are_equal(std::get<3>(found), std::get<3>(expected)));
  }
}

// split(path, pieces, csv): no row is cut, and each is in one part.
TEST(split_columns, parts_end_with_rows) {
  table_maker random(5);
  for (int round = 0; round < test::share_of(200); ++round) {
    SCOPED_TRACE(round);
    const delimited format = round % 3 == 0 ? csv.with_header() : round % 3 == 1 ? csv.with_comments('#') : csv;
    std::string text = random.make(random.below(100), format);
    const test::temporary_file file(text);
    std::vector<std::tuple<std::string, int, std::optional<double>, std::string>> expected, found;
    headrace::reader whole(file.path());
    for (auto& row : whole.rows<std::string, int, std::optional<double>, std::string>(format)) expected.push_back(row);
    for (headrace::reader& part : headrace::split(file.path(), 1 + random.below(20), format)) {
      for (auto& row : part.rows<std::string, int, std::optional<double>, std::string>(format)) found.push_back(row);
    }
    EXPECT_TRUE(found == expected);
  }
}

// Quotes in a comment are none, though a byte order mark is before it.
TEST(split_columns, a_comment_after_a_byte_order_mark) {
  const delimited format = csv.with_comments('#');
  std::string text = "\xef\xbb\xbf# 5\" wide\n";
  for (int i = 0; i < 100; ++i) text += "1,\"a\n2,b\"\n";
  const test::temporary_file file(text);
  for (std::size_t pieces = 1; pieces < 20; ++pieces) {
    std::size_t rows = 0;
    for (headrace::reader& part : headrace::split(file.path(), pieces, format)) {
      for (const auto& [number, word] : part.rows<int, std::string>(format)) rows += number == 1 && word == "a\n2,b";
    }
    EXPECT_EQ(rows, 100u);
  }
}

// Each part begins with the header: columns have their names, and what is wrong with the header, or with a row, is said
// with its place in the file.
TEST(split_columns, parts_have_the_header_of_the_file) {
  const auto rows_of = [](const std::string& path, std::size_t pieces, const auto& format) {
    std::string seen;
    try {
      std::vector<headrace::reader> parts;
      if (pieces == 0) {
        parts.emplace_back(path);
      } else {
        parts = headrace::split(path, pieces, format);
      }
      for (headrace::reader& part : parts) {
        for (const auto& [id, name] : part.rows<int, std::string>(format)) seen += std::to_string(id) + name + ' ';
      }
    } catch (const headrace::input_error& error) {
      seen += error.what();
    }
    return seen;
  };
  const std::string rows = "1,a,x\n2,b,\"y\nz\"\n3,c,\n", pairs = "1,a\n2,\"b,\nb\"\n3,c\n";
  const std::string texts[] = {"id,name,note\n" + rows,                        // more names than are asked for
                               "\xef\xbb\xbfid,name,note\r\n" + rows + "4,d",  // a byte order mark; too few fields
                               "note,\"na\nme\",id,name\n",
                               "# no header\n\n\"id\",name\n" + pairs,
                               "id,name\n" + rows,
                               "id,name\n" + pairs + "4,d\nx,e\n5,f\n",
                               "id\n" + pairs,
                               "id,id,name\n" + rows,
                               "id,name",
                               "id,\"name\n" + pairs,
                               ""};
  for (const std::string& text : texts) {
    const test::temporary_file file(text);
    const auto compare = [&](const auto& format) {
      const std::string expected = rows_of(file.path(), 0, format);
      for (const std::size_t pieces : {1u, 2u, 3u, 7u, 64u}) {
        EXPECT_EQ(rows_of(file.path(), pieces, format), expected) << text << pieces;
      }
    };
    compare(csv.with_comments('#').with_header());
    compare(csv.with_comments('#').with_header("id", "name"));
    compare(csv.with_header("id", "name"));
    compare(csv.with_header());
    compare(csv.without_quotes().with_header("id", "name"));
  }
  const test::temporary_file file("id,name\n1,a\n2,b\n");
  std::vector<headrace::reader> parts = headrace::split(file.path(), 2, csv.with_header());
  std::string lines;
  for (headrace::reader& part : parts) {
    for (const std::string_view line : part.lines()) lines += std::string(line) + ' ';
  }
  EXPECT_EQ(lines, "id,name 1,a id,name 2,b ");
}

// Bytes of a byte order mark are no quotes.
constexpr char bytes_of_mark[] = {'\xef', '\xbb', '\xbf'};
constexpr int rows_after_mark = 200;

std::string quoted_after_a_mark(char quote) {
  std::string text(bytes_of_mark, sizeof bytes_of_mark);
  for (int i = 0; i < rows_after_mark; ++i) text += std::to_string(i) + ',' + quote + "a\nb" + quote + '\n';
  return text;
}

TEST(split_columns, a_quote_that_is_a_byte_of_a_byte_order_mark) {
  for (const char quote : bytes_of_mark) {
    const test::temporary_file file(quoted_after_a_mark(quote));
    const delimited format = csv.with_quote(quote);
    for (std::size_t pieces = 1; pieces < 40; ++pieces) {
      int next = 0;
      for (headrace::reader& part : headrace::split(file.path(), pieces, format)) {
        for (const auto& [number, word] : part.rows<int, std::string_view>(format)) {
          EXPECT_EQ(number, next++);
          EXPECT_EQ(word, "a\nb");
        }
      }
      EXPECT_EQ(next, rows_after_mark);
    }
  }
}

// ---- folded ----

// The rows of a file in order, by for_each_row() in so many parts; 0: by one reader.
template <class... T, class Format>
std::vector<std::tuple<T...>> rows_of(const std::string& path, const Format& format, std::size_t parts) {
  using rows = std::vector<std::tuple<T...>>;
  const auto each = [](rows& all, const auto& row) { all.push_back(row); };
  const auto combine = [](rows& into, rows&& next) { into.insert(into.end(), next.begin(), next.end()); };
  const headrace::detail::input_file file(path.c_str());
  if (parts == 0) return headrace::detail::fold_rows<T...>(file, format, headrace::threads{1}, rows(), each, combine);
  return headrace::detail::fold_row_parts<T...>(file, format, 3, parts, rows(), each, combine);
}

// Whether the file has an error, too.
template <class... T, class Format>
bool compare_folded(const std::string& path, const Format& format, std::size_t parts) {
  std::string expected_error, error;
  const auto expected = outcome_of([&] { return rows_of<T...>(path, format, 0); }, expected_error);
  const auto found = outcome_of([&] { return rows_of<T...>(path, format, parts); }, error);
  EXPECT_EQ(error, expected_error);
  EXPECT_TRUE(found == expected);
  return !expected.has_value();
}

TEST(for_each_row, folds_the_rows_of_one_reader) {
  using std::string;
  table_maker random(6);
  int errors = 0;
  for (int round = 0; round < test::share_of(400); ++round) {
    SCOPED_TRACE(round);
    const delimited format = round % 3 == 0 ? csv.with_header() : round % 3 == 1 ? csv.with_comments('#') : csv;
    std::string text = random.make(random.below(200), format);
    if (round % 2 == 1 && !text.empty()) random.change(text);
    const test::temporary_file file(text);
    const std::size_t parts = 1 + random.below(30);
    errors += compare_folded<string, int, std::optional<double>, string>(file.path(), format, parts);
    if (round % 3 == 0) errors += compare_folded<int>(file.path(), csv.with_header("id"), parts);
  }
  EXPECT_GT(errors, test::share_of(100));
}

TEST(for_each_row, has_a_quote_that_is_a_byte_of_a_byte_order_mark) {
  for (const char quote : bytes_of_mark) {
    const test::temporary_file file(quoted_after_a_mark(quote));
    for (std::size_t parts = 0; parts < 40; ++parts) {
      const auto rows = rows_of<int, std::string>(file.path(), csv.with_quote(quote), parts);
      ASSERT_EQ(rows.size(), std::size_t{rows_after_mark});
      int next = 0;
      for (const auto& row : rows) EXPECT_EQ(row, std::tuple(next++, "a\nb"));
    }
  }
}

// Quotes of all kinds: where the first ones after a place say which of them are open, the guess is right.
TEST(for_each_row, guesses_where_rows_end) {
  const auto open = [](std::string_view text, const delimited& format = csv) {
    return headrace::detail::seems_open(text.data(), text.data() + text.size(), format);
  };
  EXPECT_FALSE(open(""));
  EXPECT_FALSE(open("1,2\n3,4\n"));
  EXPECT_FALSE(open("1,\"a\"\n2,\"b,\nc\"\n"));
  EXPECT_TRUE(open("a\"\n2,b\n"));
  EXPECT_FALSE(open("1,2\n3,4\n\",5\n"));  // both are possible
  EXPECT_TRUE(open("5\"\" wide\n6,7\"\n"));
  EXPECT_TRUE(open("a\" ,1\n", csv.trimmed()));
  EXPECT_FALSE(open("x \"b\" ,1\n", csv.trimmed()));
  EXPECT_TRUE(open("a',1\n", csv.with_quote('\'')));
}

// A text of more than a part, in quotes and with rows in it: every guess there is wrong, and what was folded by then is
// forgotten.
TEST(for_each_row, guesses_wrong_and_begins_again) {
  std::string text;
  for (int i = 0; i < 60000; ++i) text += "a,1\n";
  text += "\"";
  for (int i = 0; i < 600000; ++i) text += "b,2\n";
  text += "\",3\n";
  for (int i = 0; i < 60000; ++i) text += "c,1\n";
  const test::temporary_file file(text);
  const auto add = [](long long& sum, const auto& row) { sum += std::get<1>(row); };
  const auto combine = [](long long& into, long long next) { into += next; };
  for (const unsigned count : {1u, 2u, 4u}) {
    EXPECT_EQ(
        (headrace::for_each_row<headrace::skip, int>(file.path(), csv, headrace::threads{count}, 0LL, add, combine)),
        120003);
  }
}

TEST(for_each_row, throws_what_the_first_row_threw) {
  std::string text = "id,name\n";
  for (int i = 0; i < 200000; ++i) text += std::to_string(i) + ",\"a\nb\"\n";
  const test::temporary_file file(text);
  struct row {
    int id;
    std::string_view name;
  };
  const auto check = [](long& seen, const row& each) {
    ++seen;
    if (each.id % 70000 == 69999) throw std::runtime_error(std::to_string(each.id));
    if (each.name != "a\nb") throw std::runtime_error("a name");
  };
  const auto combine = [](long& into, long next) { into += next; };
  const auto run = [&](const std::string& path) {
    return headrace::for_each_row<row>(path, csv.with_header("id", "name"), headrace::threads{4}, 0L, check, combine);
  };
  try {
    (void)run(file.path());
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "69999");
  }
  const std::size_t bad = text.find("150000,");
  text[bad] = 'x';
  const test::temporary_file spoilt(text);
  const auto count = [](long& seen, const row&) { ++seen; };
  try {
    (void)headrace::for_each_row<row>(spoilt.path(), csv.with_header("id", "name"), headrace::threads{4}, 0L, count,
                                      combine);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const headrace::input_error& error) {
    EXPECT_EQ(error.line(), 300002u);
  }
  EXPECT_THROW((void)run("/nonexistent"), headrace::input_error);
}

}  // namespace
