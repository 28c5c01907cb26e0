// Random tables against the values that they were made of, read from memory and in reads of random sizes, in every way;
// and rows with random damage, which every way of arriving must report alike.
#include "support/scripted_read.hpp"  // before headrace

#include <headrace/columns.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "support/ends.hpp"
#include "support/errors.hpp"
#include "support/kernels.hpp"
#include "support/share.hpp"

namespace {

using headrace::delimited;
using headrace::reader;

struct record {
  std::int64_t id;
  std::string name;
  double price;
  std::optional<std::int32_t> quantity;
  bool flag;
  std::uint8_t level;
};

using random_source = std::mt19937_64;

std::size_t below(random_source& random, std::size_t limit) { return static_cast<std::size_t>(random() % limit); }

std::string in_quotes(const std::string& text, char quote) {
  std::string result(1, quote);
  for (const char byte : text) {
    result += byte;
    if (byte == quote) result += byte;
  }
  return result + quote;
}

record random_record(random_source& random) {
  record made{};
  const unsigned digits = 1 + static_cast<unsigned>(below(random, 18));
  for (unsigned i = 0; i < digits; ++i) made.id = made.id * 10 + static_cast<int>(below(random, 10));
  if (below(random, 2) == 0) made.id = -made.id;
  const std::string_view letters("ab,\"\n\r;# \t\0x", 12);
  for (std::size_t i = below(random, below(random, 20) == 0 ? 90 : 8); i > 0; --i)
    made.name += letters[below(random, 12)];
  made.price = static_cast<double>(static_cast<std::int64_t>(random() >> below(random, 60))) / 1e4;
  if (below(random, 3) != 0) made.quantity = static_cast<std::int32_t>(random() >> (below(random, 32) + 32));
  made.flag = below(random, 2) == 0;
  made.level = static_cast<std::uint8_t>(random());
  return made;
}

struct table_text {
  std::string text;
  std::vector<record> records;
};

table_text make_table(random_source& random, const delimited& format, std::size_t rows) {
  table_text made;
  const char between = format.separator;
  for (std::size_t i = 0; i < rows; ++i) {
    const record next = random_record(random);
    char price[40];
    std::snprintf(price, sizeof price, "%.4f", next.price);
    std::sscanf(price, "%lf", &made.records.emplace_back(next).price);
    std::string fields[] = {std::to_string(next.id),
                            next.name,
                            price,
                            next.quantity ? std::to_string(*next.quantity) : "",
                            next.flag ? "1" : "0",
                            std::to_string(next.level)};
    if (format.has_decimal_comma) fields[2][fields[2].find('.')] = ',';
    for (std::size_t field = 0; field < 6; ++field) {
      const bool needs_quotes = fields[field].find_first_of(std::string("\"\n\r# \t") + between) != std::string::npos;
      if (field != 0) made.text += between;
      if (format.trims && below(random, 9) == 0) made.text += " ";
      made.text += needs_quotes || below(random, 12) == 0 ? in_quotes(fields[field], format.quote) : fields[field];
      if (format.trims && below(random, 9) == 0) made.text += "  ";
    }
    made.text += below(random, 3) == 0 ? "\r\n" : "\n";
    if (!format.keeps_empty_lines && below(random, 30) == 0) made.text += "\n";
    if (format.comment != '\0' && below(random, 10) == 0) made.text += "# it's \"a\" comment,,,\n";
  }
  if (below(random, 2) == 0) {  // the last row needs no end
    while (!made.text.empty() && (made.text.back() == '\n' || made.text.back() == '\r')) made.text.pop_back();
    if (!made.text.empty() && format.comment == '\0') made.text += below(random, 2) == 0 ? "\n" : "";
  }
  return made;
}

void expect_equal(const record& seen, const record& expected) {
  ASSERT_EQ(seen.id, expected.id);
  ASSERT_EQ(seen.name, expected.name);
  ASSERT_EQ(seen.price, expected.price);
  ASSERT_EQ(seen.quantity, expected.quantity);
  ASSERT_EQ(seen.flag, expected.flag);
  ASSERT_EQ(seen.level, expected.level);
}

void check_rows(reader& from, const delimited& format, const std::vector<record>& expected) {
  std::size_t seen = 0;
  for (const record& row : from.rows<record>(format)) {
    ASSERT_LT(seen, expected.size());
    expect_equal(row, expected[seen++]);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_EQ(seen, expected.size());
}

void check_columns(reader& from, const delimited& format, const std::vector<record>& expected) {
  const auto [ids, names, prices, quantities, flags, levels] =
      headrace::read_columns<std::int64_t, std::string, double, std::optional<std::int32_t>, bool, std::uint8_t>(
          from, format);
  ASSERT_EQ(ids.size(), expected.size());
  ASSERT_EQ(levels.size(), expected.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    expect_equal({ids[i], names[i], prices[i], quantities[i], flags[i], levels[i]}, expected[i]);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

void check_texts(reader& from, const delimited& format, const std::vector<record>& expected) {
  using headrace::skip, headrace::text;
  const auto [names, prices, levels] = headrace::read_columns<skip, text, double, skip, skip, text>(from, format);
  ASSERT_EQ(names.size(), expected.size());
  ASSERT_EQ(levels.size(), expected.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    ASSERT_EQ(names[i], expected[i].name);
    ASSERT_EQ(prices[i], expected[i].price);
    ASSERT_EQ(levels[i], std::to_string(expected[i].level));
  }
}

const delimited formats[] = {headrace::csv,
                             delimited(';').with_decimal_comma(),
                             headrace::csv.with_quote('\''),
                             headrace::csv.with_comments('#'),
                             delimited('\t').trimmed(),
                             delimited(';').trimmed().with_comments('#').with_decimal_comma(),
                             delimited('\0'),
                             delimited(' ')};

TEST(columns_random, tables_are_what_they_were_made_of) {
  const test::pipe_ends pipe = test::make_pipe();
  random_source random(99);
  for (int round = 0; round < test::share_of(300); ++round) {
    const delimited& format = formats[round % 8];
    const table_text made = make_table(random, format, below(random, round % 10 == 0 ? 4000 : 60));
    SCOPED_TRACE("round " + std::to_string(round));
    reader whole = reader::from(made.text), again = reader::from(made.text), once_more = reader::from(made.text);
    check_rows(whole, format, made.records);
    check_columns(again, format, made.records);
    check_texts(once_more, format, made.records);
    const std::size_t limits[] = {1, 3, 50, 5000, 100000};
    const std::size_t most = made.text.size() > 20000 ? limits[2 + below(random, 3)] : limits[below(random, 5)];
    test::scripted_read script(pipe.read.get(), made.text, [&](std::size_t) { return 1 + below(random, most); });
    reader in_parts(pipe.read.get());
    if (round % 3 == 0) {
      check_rows(in_parts, format, made.records);
    } else if (round % 3 == 1) {
      check_columns(in_parts, format, made.records);
    } else {
      check_texts(in_parts, format, made.records);
    }
    if (HasFatalFailure()) return;
  }
}

// ---- damage ----

// Every row or error, with where the reader is after it.
std::string describe_all(reader& from, const delimited& format) {
  std::string seen;
  auto rows = from.rows<record>(format);
  record row{};
  for (;;) {
    const headrace::read_result result = rows.parse_row(row);
    seen += std::to_string(from.where().offset) + ' ';
    if (result) {
      seen += std::to_string(row.id) + ',' + row.name + ',' + std::to_string(row.price) + ',' +
              std::to_string(row.quantity.value_or(-1)) + ',' + std::to_string(row.flag) + '\n';
      continue;
    }
    if (result.error->at_end()) return seen;
    seen += std::string(result.error->what()).substr(std::string_view(from.name()).size()) + '\n';
    EXPECT_TRUE(rows.skip_row());
  }
}

TEST(columns_random, damage_is_reported_alike) {
  const test::pipe_ends pipe = test::make_pipe();
  random_source random(7);
  for (int round = 0; round < test::share_of(600); ++round) {
    const delimited& format = formats[round % 8];
    std::string text = make_table(random, format, 1 + below(random, 50)).text;
    const std::string_view bytes(",;\"'\n\rx0# \0\xef", 12);
    for (std::size_t i = 1 + below(random, 4); i > 0; --i) text[below(random, text.size())] = bytes[below(random, 12)];
    SCOPED_TRACE(text);
    reader whole = reader::from(text);
    const std::string expected = describe_all(whole, format);
    // A byte at a time, no row is ever seen whole: all are split one by one.
    test::scripted_read script(pipe.read.get(), text, [](std::size_t) { return std::size_t(1); });
    reader in_parts(pipe.read.get());
    ASSERT_EQ(describe_all(in_parts, format), expected);
  }
}

// ---- the reader between rows ----

TEST(columns_random, the_reader_is_after_the_last_row_that_was_taken) {
  const std::string text = "1,a\n2,b\nnot a row\n3,c\nthe end";
  reader from = reader::from(text);
  auto rows = from.rows<int, std::string>(headrace::csv);
  std::tuple<int, std::string> row;
  ASSERT_TRUE(rows.try_read_row(row));
  ASSERT_TRUE(rows.try_read_row(row));
  EXPECT_EQ(from.read_line(), "not a row");
  ASSERT_TRUE(rows.try_read_row(row));
  EXPECT_EQ(row, std::make_tuple(3, std::string("c")));
  EXPECT_EQ(from.read<std::string>(), "the");
  EXPECT_EQ(from.read<std::string>(), "end");
  EXPECT_FALSE(rows.try_read_row(row));
  EXPECT_FALSE(rows.skip_row());
}

TEST(columns_random, a_header_is_no_row_to_be_skipped) {
  std::tuple<int, int> row;
  const auto message = [](auto action) { return std::string(test::error_of(action).what()); };
  for (const bool has_names : {true, false}) {
    reader from = reader::from(std::string_view("\xef\xbb\xbf# text\n\nb,a\n1,2\n3,4\n"));
    const headrace::delimited format = headrace::csv.with_comments('#').with_header();
    auto rows = [&] {
      if (has_names) return from.rows<int, int>(format.with_header("a", "b"));
      return from.rows<int, int>(format);
    }();
    EXPECT_TRUE(rows.skip_row());
    ASSERT_TRUE(rows.parse_row(row));
    EXPECT_EQ(row, has_names ? std::make_tuple(4, 3) : std::make_tuple(3, 4));
    EXPECT_FALSE(rows.skip_row());
    EXPECT_FALSE(rows.skip_row());
  }
  reader alone = reader::from("a,b");
  EXPECT_FALSE((alone.rows<int, int>(headrace::csv.with_header()).skip_row()));
  reader empty = reader::from("");
  auto none = empty.rows<int, int>(headrace::csv.with_header());
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(message([&] { (void)none.try_read_row(row); }),
              "<memory>:1:1: expected a header, found the end of input");
  }
  EXPECT_FALSE(none.skip_row());
}

TEST(columns_random, a_refused_header_is_skipped_like_a_row) {
  const std::string other = "<memory>:1:1: the header has no column \"a\"";
  const auto message = [](auto action) { return std::string(test::error_of(action).what()); };
  std::tuple<int, int> row;
  for (int way = 0; way < 4; ++way) {
    SCOPED_TRACE(way);
    reader from = reader::from("a list\nb,a\n1,2\n3,4\n");
    auto rows = from.rows<int, int>(headrace::csv.with_header("a", "b"));
    const std::string said = way == 0   ? std::string(rows.parse_row(row).error->what())
                             : way == 1 ? message([&] { (void)rows.try_read_row(row); })
                                        : message([&] { rows.skip_row(); });
    EXPECT_EQ(said, other);
    if (way == 3) {
      EXPECT_EQ(from.read_line(), "a list");
    } else {
      EXPECT_TRUE(rows.skip_row());
    }
    EXPECT_TRUE(rows.skip_row());
    ASSERT_TRUE(rows.try_read_row(row));
    EXPECT_EQ(row, std::make_tuple(4, 3));
    EXPECT_FALSE(rows.try_read_row(row));
  }
}

// A for loop ends the lives of all temporaries but what it goes through, before its first row.
TEST(columns_random, names_may_be_temporaries) {
  const std::string first = "the name of a column that no string holds within itself", second = "no";
  reader from =
      reader::from(std::string_view("no,the name of a column that no string holds within itself\n1,2\n3,4\n"));
  std::string seen;
  for (const auto& [a, b] : from.rows<int, int>(headrace::csv.with_header(std::string(first), std::string(second)))) {
    seen += std::to_string(a) + ' ' + std::to_string(b) + ';';
  }
  EXPECT_EQ(seen, "2 1;4 3;");
  reader other = reader::from("a\n1\n");
  auto rows = other.rows<int>(headrace::csv.with_header(std::string(first).c_str()));
  std::tuple<int> row;
  EXPECT_EQ(test::error_of([&] { (void)rows.try_read_row(row); }).what(),
            "<memory>:1:1: the header has no column \"" + first.substr(0, 40) + "\"...");
}

// As Boost's, and as one is written by hand: a value converts to it, but not anything that converts to a value.
template <class T>
class plain_optional {
 public:
  using value_type = T;
  plain_optional() = default;
  plain_optional(T value) : value_(std::move(value)), has_value_(true) {}
  bool has_value() const { return has_value_; }
  void reset() { *this = {}; }
  const T& operator*() const { return value_; }

 private:
  T value_{};
  bool has_value_ = false;
};

TEST(columns_random, other_optionals) {
  struct row {
    int id;
    plain_optional<double> price;
    plain_optional<std::string> name;
    std::optional<std::string> place;
    plain_optional<char> mark;
  };
  reader from = reader::from("1,0.5,a,b,c\n2,,,,\n");
  auto rows = from.rows<row>(headrace::csv);
  row seen{};
  ASSERT_TRUE(rows.try_read_row(seen));
  EXPECT_EQ(*seen.price, 0.5);
  EXPECT_EQ(*seen.name, "a");
  EXPECT_EQ(seen.place, "b");
  EXPECT_EQ(*seen.mark, 'c');
  ASSERT_TRUE(rows.try_read_row(seen));
  EXPECT_EQ(seen.id, 2);
  EXPECT_FALSE(seen.price.has_value() || seen.name.has_value() || seen.place.has_value() || seen.mark.has_value());
  EXPECT_FALSE(rows.try_read_row(seen));
}

TEST(columns_random, numbers_before_and_after_rows) {
  const std::string text = "3 4\n1,2\n3,4\n5 6";
  reader from = reader::from(text);
  EXPECT_EQ(from.read<int>() + from.read<int>(), 7);
  EXPECT_EQ(from.read_line(), "");
  int sum = 0, count = 0;
  for (const auto& [a, b] : from.rows<int, int>(headrace::csv)) {
    sum += a * b;
    if (++count == 2) break;
  }
  EXPECT_EQ(sum, 14);
  EXPECT_EQ(from.read<int>() + from.read<int>(), 11);
}

TEST(columns_random, an_error_leaves_the_row_to_be_read_otherwise) {
  const std::string text = "1,2\nx,3\n4,5\n";
  reader from = reader::from(text);
  auto rows = from.rows<int, int>(headrace::csv);
  std::tuple<int, int> row;
  EXPECT_TRUE(rows.parse_row(row));
  EXPECT_FALSE(rows.parse_row(row));
  EXPECT_EQ(row, std::make_tuple(1, 2));
  EXPECT_EQ(from.read_line(), "x,3");
  EXPECT_TRUE(rows.parse_row(row));
  EXPECT_EQ(row, std::make_tuple(4, 5));
}

TEST(columns_random, a_matrix_has_the_size_of_the_file) {
  random_source random(3);
  test::for_each_kernel([&] {
    for (const std::size_t width : {1u, 2u, 7u, 100u, 3000u, 20000u}) {
      const std::size_t rows = width > 1000 ? 7 : 2000 / width + 3;
      std::string text;
      std::vector<double> expected;
      for (std::size_t i = 0; i < rows * width; ++i) {
        const auto value = static_cast<std::int64_t>(random() >> (24 + below(random, 39)));
        expected.push_back(static_cast<double>(value) / 64);
        char number[40];
        std::snprintf(number, sizeof number, "%.6f", expected.back());
        text += below(random, 50) == 0 ? in_quotes(number, '"') : number;
        text += i % width == width - 1 ? (below(random, 2) == 0 ? "\r\n" : "\n") : ",";
      }
      reader from = reader::from(text);
      const headrace::matrix<double> found = headrace::read_matrix<double>(from, headrace::csv);
      ASSERT_EQ(found.columns(), width);
      ASSERT_EQ(found.rows(), rows);
      ASSERT_EQ(found.values().to_vector(), expected);
      ASSERT_EQ(found(rows - 1, width - 1), expected.back());
      ASSERT_EQ(found[1][0], expected[width]);
    }
  });
}

// Those in quotes are found out as what is no number at first.
TEST(columns_random, numbers_in_quotes_among_others) {
  random_source random(21);
  test::for_each_kernel([&] {
    for (const std::size_t each : {1u, 2u, 9u, 100u, 1000u, 100000u}) {  // one of so many
      for (const bool is_bad : {false, true}) {
        const std::size_t rows = 3000, bad_row = is_bad ? below(random, rows) : rows;
        std::vector<std::int64_t> ids;
        std::vector<double> prices;
        std::string text;
        const auto maybe_quoted = [&](const std::string& number) {
          return below(random, each) == 0 ? in_quotes(number, '"') : number;
        };
        for (std::size_t row = 0; row < rows; ++row) {
          ids.push_back(static_cast<std::int64_t>(random() >> below(random, 60)) / 2);
          prices.push_back(static_cast<double>(below(random, 1000000)) / 64);
          char price[40];
          std::snprintf(price, sizeof price, "%.6f", prices.back());
          text += maybe_quoted(std::to_string(ids.back())) + ",\"a,b\",";
          text += (row == bad_row ? maybe_quoted("n/a") : maybe_quoted(price)) + ',' + maybe_quoted("1") + '\n';
        }
        std::size_t taken = 0;
        std::string error;
        reader from = reader::from(text);
        using headrace::skip;
        auto all = from.rows<std::int64_t, skip, std::optional<double>, bool>(headrace::csv);
        try {
          for (const auto& [id, name, price, flag] : all) {
            ASSERT_EQ(id, ids[taken]);
            ASSERT_EQ(price, prices[taken]);
            ASSERT_TRUE(flag);
            ++taken;
          }
        } catch (const headrace::input_error& thrown) {
          error = thrown.what();
        }
        ASSERT_EQ(taken, bad_row);
        const std::string line = std::to_string(bad_row + 1);
        if (is_bad) {
          ASSERT_EQ(error.rfind("<memory>:" + line + ':', 0), 0u) << error;
          ASSERT_NE(error.find("column 3: expected a number, found \"n/a\""), error.npos) << error;
        } else {
          ASSERT_EQ(error, "");
        }
      }
    }
  });
}

TEST(columns_random, what_is_in_quotes_of_letters_is_no_number) {
  test::for_each_kernel([] {
    for (const auto& [quote, field] : {std::pair('n', "nan"), std::pair('N', "NaN"), std::pair('-', "-5-")}) {
      std::string text;
      for (int row = 0; row < 40; ++row) text += row == 25 ? std::string(field) + "\n" : "2.5\n";
      reader from = reader::from(text);
      std::size_t taken = 0;
      auto all = from.rows<double>(headrace::csv.with_quote(quote));
      std::tuple<double> row;
      while (taken < 25 && all.try_read_row(row)) ++taken;
      ASSERT_EQ(taken, 25u);
      if (quote == '-') {
        ASSERT_TRUE(all.try_read_row(row));
        EXPECT_EQ(std::get<0>(row), 5);
      } else {
        const headrace::read_result result = all.parse_row(row);
        ASSERT_FALSE(result);
        EXPECT_STREQ(result.error->what(), "<memory>:26:1: column 1: expected a number, found \"a\"");
      }
    }
  });
}

// Trimmed or not, what is the quote is no blank around it.
TEST(columns_random, a_quote_that_is_a_blank) {
  const std::string text = "1,\t a,b \t\n2, c\td \n3,e\n4,e f\n";
  const delimited format = headrace::csv.with_quote(' ').trimmed();
  const test::pipe_ends pipe = test::make_pipe();
  const auto read = [&](reader& from) {
    std::string seen;
    auto rows = from.rows<int, std::string>(format);
    std::tuple<int, std::string> row;
    while (rows.parse_row(row)) seen += std::to_string(std::get<0>(row)) + '[' + std::get<1>(row) + ']';
    return seen + std::to_string(from.where().offset);
  };
  test::for_each_kernel([&] {
    reader whole = reader::from(text);
    EXPECT_EQ(read(whole), "1[a,b]2[c\td]3[e]22");
    test::scripted_read script(pipe.read.get(), text, [](std::size_t) { return std::size_t(1); });
    reader in_parts(pipe.read.get());
    EXPECT_EQ(read(in_parts), "1[a,b]2[c\td]3[e]22");
  });
}

// A build that asserts takes that for a separator which is no quote, too.
TEST(columns_random, a_nul_between_fields_without_quotes) {
  const std::string text("1\0\"a\"\n2\0b\n", 10);
  reader from = reader::from(text);
  std::string seen;
  for (const auto& [number, word] : from.rows<int, std::string>(delimited('\0').without_quotes())) {
    seen += std::to_string(number) + word;
  }
  EXPECT_EQ(seen, "1\"a\"2b");
}

TEST(columns_random, a_matrix_that_is_none) {
  const auto error_of = [](const std::string& text) -> std::string {
    reader from = reader::from(text);
    try {
      (void)headrace::read_matrix<int>(from, headrace::csv);
    } catch (const headrace::input_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of("1,2\n3\n"), "<memory>:2:1: expected 2 fields, found 1");
  EXPECT_EQ(error_of("1,2\n3,x\n"), "<memory>:2:3: column 2: expected an integer, found \"x\"");
  EXPECT_EQ(error_of("1,2\n,3\n"), "<memory>:2:1: column 1: expected an integer, found an empty field");
  EXPECT_EQ(error_of("1,2\n3,\"4\n"), "<memory>:2:3: column 2: the quote that opens here is never closed");
  EXPECT_EQ(error_of(""), "");
  const std::string headed = "a,b\n1,2\n";
  reader from = reader::from(headed);
  EXPECT_EQ(headrace::read_matrix<int>(from, headrace::csv.with_header()).values().to_vector(),
            (std::vector<int>{1, 2}));
}

// Rows of numbers, of which some have fields that are none or out of range, or too few or many of them: each row, each
// error and its place, with columns in another order than in the file, and with the reader used in between.
struct mixed_row {
  std::string text;
  std::int32_t id;
  double price;
  std::uint8_t level;
  std::string fault;  // what() after the place; empty: the row is good
  std::size_t fault_at;
  std::string token;
};

mixed_row make_mixed_row(random_source& random, std::size_t damage) {
  static constexpr const char* names[] = {" \"price\"", " \"level\"", " \"id\""};
  static constexpr const char* wanted[] = {"a number", "an integer", "an integer"};
  mixed_row made{};
  made.id = static_cast<std::int32_t>(random());
  made.price = static_cast<double>(below(random, 1000000)) / 4;
  made.level = static_cast<std::uint8_t>(random());
  char price[40];
  std::snprintf(price, sizeof price, "%.2f", made.price);
  std::vector<std::string> fields = {price, std::to_string(made.level), std::to_string(made.id)};
  for (std::size_t column = 3; column-- != 0;) {
    if (below(random, damage) != 0) continue;
    std::string& field = fields[column];
    const std::size_t kind = below(random, 4);
    if (kind == 0 && column != 0) field = column == 1 ? "256" : "2147483648";
    if (kind == 1) field = std::string(below(random, 90), 'y') + 'z';
    if (kind >= 2 || (kind == 0 && column == 0)) field[below(random, field.size())] = 'x';
    const bool is_range = kind == 0 && column != 0;
    const char* const range = column == 1 ? " from 0 to 255" : " from -2147483648 to 2147483647";
    std::string shown = field.size() > 40 ? '"' + field.substr(0, 40) + "\"..." : '"' + field + '"';
    made.fault = "column " + std::to_string(column + 1) + names[column] + ": expected " + wanted[column] +
                 (is_range ? range : "") + ", found " + shown;
    made.token = field.substr(0, 64);
    made.fault_at = 0;
    for (std::size_t i = 0; i < column; ++i) made.fault_at += fields[i].size() + 1;
  }
  if (below(random, 3 * damage) == 0) {
    if (below(random, 2) == 0) {
      fields.pop_back();
    } else {
      fields.push_back("1");
    }
    made.fault = "expected 3 fields, found " + std::to_string(fields.size());
    made.fault_at = 0;
    made.token = "";
  }
  for (const std::string& field : fields) made.text += (made.text.empty() ? "" : ",") + field;
  return made;
}

template <class Rows>
void check_mixed_rows(random_source& random, reader& from, Rows&& rows, const std::vector<mixed_row>& all,
                      const std::string& name, std::size_t first_line, std::size_t offset) {
  std::size_t line = first_line;
  for (const mixed_row& next : all) {
    const std::size_t what_else = below(random, 12);
    if (what_else == 0 && line != first_line) {  // else the header is not read yet
      ASSERT_EQ(from.where().offset, offset);
    }
    if (what_else == 1) {
      ASSERT_TRUE(rows.skip_row());
    } else {
      std::tuple<std::int32_t, double, std::uint8_t> row{};
      for (std::size_t times = what_else == 2 ? 2 : 1; times > 0; --times) {
        const headrace::read_result result = rows.parse_row(row);
        ASSERT_EQ(!result, !next.fault.empty()) << next.text;
        if (result) {
          ASSERT_EQ(row, std::make_tuple(next.id, next.price, next.level));
          break;
        }
        const headrace::input_error kept = *result.error;
        const std::size_t column = next.fault_at + 1;
        ASSERT_EQ(kept.what(), name + ':' + std::to_string(line) + ':' + std::to_string(column) + ": " + next.fault);
        ASSERT_EQ(kept.offset(), offset + next.fault_at);
        ASSERT_EQ(kept.line(), line);
        ASSERT_EQ(kept.column(), column);
        ASSERT_EQ(kept.token(), next.token);
        ASSERT_EQ(kept.code() == headrace::errc::out_of_range, next.fault.find(" from ") != std::string::npos);
      }
      if (!next.fault.empty()) {
        ASSERT_TRUE(rows.skip_row());
      }
    }
    ++line;
    offset += next.text.size() + 1;
  }
  std::tuple<std::int32_t, double, std::uint8_t> row;
  ASSERT_TRUE(rows.parse_row(row).error->at_end());
}

TEST(columns_random, bad_rows_among_others_are_passed_over) {
  test::for_each_kernel([] {
    random_source random(11);
    for (int round = 0; round < test::share_of(60) && !testing::Test::HasFatalFailure(); ++round) {
      const std::size_t damage = round % 6 == 5 ? 1 : round % 3 == 2 ? 400 : 1 + below(random, 30);
      std::vector<mixed_row> all;
      for (std::size_t rows = below(random, round % 10 == 0 ? 20000 : 2000); all.size() < rows;) {
        all.push_back(make_mixed_row(random, damage));
      }
      std::string text = "price,level,id\n";
      for (const mixed_row& each : all) text += each.text + '\n';
      std::size_t given = 0;
      auto in_pieces = [&](char* to, std::size_t size) {
        const std::size_t count = std::min({size, text.size() - given, 1 + below(random, 100000)});
        std::memcpy(to, text.data() + given, count);
        given += count;
        return count;
      };
      const std::string name = below(random, 3) == 0 ? std::string(60, 'n') : "numbers";  // which an error may not hold
      reader whole = reader::from(text), pieces = reader::from(in_pieces, name.c_str());
      const auto format = headrace::csv.with_header("id", "price", "level");
      for (reader* from : {&whole, &pieces}) {
        auto rows = from->rows<std::int32_t, double, std::uint8_t>(format);
        check_mixed_rows(random, *from, rows, all, from == &whole ? "<memory>" : name, 2, 15);
      }
    }
  });
}

TEST(columns_random, a_huge_line_is_one_field) {
  const std::size_t size = 50'000'000 / test::share();
  const std::string text = "a,b\n" + std::string(size, 'x') + ",y\nc,d\n";
  const test::temporary_file file(text);
  const auto [first, second] = headrace::read_columns<std::string, std::string>(file.path(), headrace::csv);
  ASSERT_EQ(first.size(), 3u);
  EXPECT_EQ(first[1].size(), size);
  EXPECT_EQ(second[2], "d");
  const auto [texts, others] = headrace::read_columns<headrace::text, headrace::text>(file.path(), headrace::csv);
  EXPECT_EQ(texts.to_vector(), first.to_vector());
  EXPECT_EQ(others.to_vector(), second.to_vector());
}

}  // namespace
