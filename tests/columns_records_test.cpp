// Records against static rows and against rows that are split a byte at a time: random tables, narrow and wide, sound
// and damaged; what their fields are converted to, and how they are found by name.
#include "support/scripted_read.hpp"  // before headrace

#include <headrace/columns.hpp>

#include <gtest/gtest.h>

#include <cfloat>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "support/ends.hpp"
#include "support/errors.hpp"
#include "support/kernels.hpp"
#include "support/share.hpp"

namespace {

using headrace::csv;
using headrace::delimited;
using headrace::reader;
using headrace::record;

using random_source = std::mt19937_64;

std::size_t below(random_source& random, std::size_t limit) { return static_cast<std::size_t>(random() % limit); }

std::string random_field(random_source& random, const delimited& format) {
  std::string text;
  const bool is_quoted = format.quote != '\0' && below(random, 6) == 0;
  const std::string_view letters = is_quoted ? "ab,;\n\r \"#" : "abc1234567";
  for (std::size_t i = below(random, below(random, 30) == 0 ? 200 : 9); i != 0; --i) {
    const char letter = letters[below(random, letters.size())];
    text += letter;
    if (is_quoted && letter == format.quote) text += letter;
  }
  return is_quoted ? format.quote + text + format.quote : text;
}

// Rows of `width` fields, or where that is 0 of up to 9.
std::string random_table(random_source& random, const delimited& format, std::size_t rows, std::size_t width) {
  std::string text;
  for (; rows != 0; --rows) {
    const std::size_t fields = width == 0 ? 1 + below(random, 9) : width;
    for (std::size_t i = 0; i < fields; ++i) {
      if (i != 0) text += format.separator;
      text += random_field(random, format);
    }
    text += below(random, 5) == 0 ? "\r\n" : "\n";
    if (below(random, 20) == 0) text += "\n";
    if (format.comment != '\0' && below(random, 20) == 0) text += "#\"\n";
  }
  if (below(random, 3) == 0 && !text.empty()) text.pop_back();
  return text;
}

void damage(random_source& random, std::string& text) {
  const std::string_view bytes(",;\"'\n\rx0# \0\xef", 12);
  for (std::size_t i = 1 + below(random, 4); i != 0 && !text.empty(); --i)
    text[below(random, text.size())] = bytes[below(random, 12)];
}

std::string without_name(const headrace::input_error& error, const reader& from) {
  return std::string(error.what()).substr(std::string_view(from.name()).size());
}

// Each row or error, with where the reader is after it, and of a row the line where it begins.
std::string describe_records(reader& from, const delimited& format, bool has_places = true) {
  std::string seen;
  auto records = from.records(format);
  for (;;) {
    try {
      for (const record row : records) {
        if (has_places) seen += std::to_string(from.where().offset) + ' ' + std::to_string(row.line());
        for (std::size_t i = 0; i < row.size(); ++i) seen += '<' + std::string(row[i]) + '>';
        for (std::size_t i = row.size(); i-- != 0;) EXPECT_EQ(row[i], row.get<std::string>(i));
        seen += '\n';
      }
      return seen;
    } catch (const headrace::input_error& error) {
      seen += without_name(error, from) + '\n';
    }
    EXPECT_TRUE(records.skip_row());
  }
}

template <class... T>
std::string describe_rows(reader& from, const delimited& format) {
  std::string seen;
  auto rows = from.rows<T...>(format);
  std::tuple<T...> row;
  for (;;) {
    const headrace::read_result result = rows.parse_row(row);
    if (result) {
      std::apply([&](const auto&... field) { ((seen += '<' + std::string(field) + '>'), ...); }, row);
      seen += '\n';
      continue;
    }
    if (result.error->at_end()) return seen;
    seen += without_name(*result.error, from) + '\n';
    EXPECT_TRUE(rows.skip_row());
  }
}

const delimited formats[] = {
    csv,           csv.with_comments('#'), delimited(';').with_quote('\''), delimited('\t').trimmed(),
    headrace::tsv, csv.with_empty_lines()};

// A byte at a time, no row is ever seen whole: all are split one by one.
std::string describe_slowly(const std::string& text, const delimited& format) {
  static const test::pipe_ends pipe = test::make_pipe();
  test::scripted_read script(pipe.read.get(), text, [](std::size_t) { return std::size_t(1); });
  reader in_parts(pipe.read.get());
  return describe_records(in_parts, format);
}

TEST(columns_records, are_those_of_the_splitter) {
  random_source random(11);
  for (int round = 0; round < test::share_of(1200); ++round) {
    const bool is_ragged = round % 2 == 0;
    const delimited format = is_ragged ? formats[round / 2 % 6].with_ragged_rows() : formats[round / 2 % 6];
    std::string text = random_table(random, format, 1 + below(random, 40), is_ragged ? 0 : 1 + below(random, 9));
    if (below(random, 2) == 0) damage(random, text);
    SCOPED_TRACE(text);
    reader whole = reader::from(text);
    ASSERT_EQ(describe_records(whole, format), describe_slowly(text, format));
  }
}

TEST(columns_records, are_static_rows) {
  random_source random(12);
  using std::string;
  for (int round = 0; round < test::share_of(600); ++round) {
    const delimited& format = formats[round % 6];
    string text = random_table(random, format, 1 + below(random, 60), 3);
    if (below(random, 2) == 0) damage(random, text);
    text.insert(0, string("a") + format.separator + "b" + format.separator + "c\n");
    SCOPED_TRACE(text);
    reader one = reader::from(text), other = reader::from(text);
    ASSERT_EQ(describe_records(one, format, false), (describe_rows<string, string, string>(other, format)));
  }
}

TEST(columns_records, of_more_bytes_than_a_window) {
  random_source random(13);
  for (int round = 0; round < test::share_of(60); ++round) {
    const delimited format = formats[round % 6];
    std::string text = random_table(random, format, 2 + below(random, 3), 1000 + below(random, 9000));
    if (round % 3 == 2) damage(random, text);
    const std::string expected = describe_slowly(text, format);
    reader whole = reader::from(text);
    ASSERT_TRUE(describe_records(whole, format) == expected) << round;
    const test::temporary_file file(text);
    reader from_file(file.path());
    ASSERT_TRUE(describe_records(from_file, format) == expected) << round;
  }
}

// Plain rows among which some have another width: the first ones, two in turn, each place about a window's end, the
// last one without its newline.
TEST(columns_records, of_another_width_are_those_of_the_splitter) {
  const std::string good = "12,345,6789\n";
  for (const std::string bad : {"1,2\n", "7\n", "1,2,3,4\n", ",,,,,\n"}) {
    std::string text = bad + good + bad + bad + good;
    while (text.size() < 16 * 1024 - 4 * good.size()) text += good;
    for (std::size_t i = 0; i != 5; ++i) text += bad + good;
    text += bad.substr(0, bad.size() - 1);
    SCOPED_TRACE(bad);
    reader whole = reader::from(text);
    // The width is that of the first row.
    ASSERT_TRUE(describe_records(whole, csv) == describe_slowly(text, csv));
    text.insert(0, good);
    reader after_good = reader::from(text);
    ASSERT_TRUE(describe_records(after_good, csv) == describe_slowly(text, csv));
  }
}

// After a row that is longer than a window, and one whose length is no power of two, windows grow to their full size.
TEST(columns_records, after_long_rows) {
  const delimited format(';'), with_comma = format.with_decimal_comma();
  for (const std::size_t length : {2049u, 3000u, 3313u, 4095u}) {
    std::string text = std::string(20000, '7') + ";1\n" + std::string(length, '7') + ";1\n";
    constexpr std::size_t short_rows = 40000;
    for (std::size_t i = 0; i != short_rows; ++i) text += ";\n";
    for (const delimited& each : {format, with_comma}) {
      reader from = reader::from(text);
      std::size_t rows = 0, empty = 0;
      for (const record row : from.records(each)) {
        ++rows;
        empty += row[0].empty() && row[1].empty();
      }
      EXPECT_EQ(rows, short_rows + 2);
      EXPECT_EQ(empty, short_rows);
    }
  }
}

// A doubled quote at the ends of a field and of each word of the index, wherever in a word the field begins.
TEST(columns_records, with_one_doubled_quote) {
  std::string text;
  std::vector<std::string> expected;
  for (std::size_t size = 1; size != 200; ++size) {
    for (const std::size_t place :
         {std::size_t(0), size / 2, std::size_t(63), std::size_t(64), std::size_t(65), size - 1}) {
      if (place >= size) continue;
      std::string field(size, 'x');
      field[place] = '"';
      expected.push_back(field);
      text += "\"" + field.insert(place, 1, '"') + "\",plain\n";
    }
  }
  reader from = reader::from(text);
  std::size_t at = 0;
  for (const record row : from.records(csv)) {
    ASSERT_EQ(row[0], expected[at++]);
    ASSERT_EQ(row[1], "plain");
  }
  EXPECT_EQ(at, expected.size());
}

TEST(columns_records, convert_their_fields) {
  reader from = reader::from("id,price,name\n1,2.5,\"a \"\"b\"\"\"\n-2,,\n");
  std::string seen;
  for (const record row : from.records(csv.with_header())) {
    seen += std::to_string(row.get<int>(0)) + ' ' + std::to_string(row.get<std::int8_t>("id")) + ' ' +
            std::to_string(row.get<std::optional<double>>("price").value_or(-1)) + ' ' + row.get<std::string>(2) + ' ' +
            std::string(row["name"]) + ' ' + std::to_string(row.get<std::optional<std::string>>("name").has_value()) +
            ';';
  }
  EXPECT_EQ(seen, "1 1 2.500000 a \"b\" a \"b\" 1;-2 -2 -1.000000   0;");
  reader german = reader::from("1,5;2\n");
  for (const record row : german.records(delimited(';').with_decimal_comma())) EXPECT_EQ(row.get<double>(0), 1.5);
}

// The bytes of the first field as a T, or why it is none: of a record, or of a row of known types.
template <class T, bool IsRecord>
std::string describe_field(const std::string& text, const delimited& format) {
  reader from = reader::from(text);
  std::string seen;
  // a long double has bytes that are no part of it
  constexpr std::size_t size = std::is_same_v<T, long double> && LDBL_MANT_DIG == 64 ? 10 : sizeof(T);
  const auto note = [&seen](T value) { seen.assign(reinterpret_cast<const char*>(&value), size); };
  const std::string error = test::message_of([&] {
    if constexpr (IsRecord) {
      for (const record row : from.records(format)) note(row.get<T>(0));
    } else {
      for (const auto& row : from.rows<T, std::string_view>(format)) note(std::get<0>(row));
    }
  });
  return seen + error;
}

TEST(columns_records, fields_are_as_in_static_rows) {
  const auto check = [](auto type, const std::string& text) {
    using T = decltype(type);
    // a separator that may be part of a number ends one, too
    for (const char separator : {',', ';', '.', 'e', '7'}) {
      if (text.find(separator) != std::string::npos) continue;
      const delimited format = delimited(separator);
      const std::string row = text + separator + '\n';
      EXPECT_EQ((describe_field<T, true>(row, format)), (describe_field<T, false>(row, format))) << row;
    }
  };
  std::istringstream tokens(
      "0 1 2 -1 +5 - + x 12x true -0 007 127 128 -128 -129 65535 12345678 -12345678 123456789 9223372036854775807 "
      "-9223372036854775808 9223372036854775808 18446744073709551615 18446744073709551616 00000000000000000000000001 "
      "1.5 -1.25e-3 1e5 1e400 1. .5 1.2.3 88032.91 0.1234567890123456789 1234567890123456.75 nan inf 0x10");
  for (std::string token; tokens; tokens >> token) {  // the first one is empty
    check(int{}, token);
    check(static_cast<signed char>(0), token);
    check(std::uint64_t{}, token);
    check(std::int64_t{}, token);
    check(bool{}, token);
    check(float{}, token);
    check(double{}, token);
    check(static_cast<long double>(0), token);
#if defined(__SIZEOF_INT128__)
    check(headrace::int128{}, token);
#endif
  }
}

TEST(columns_records, say_what_is_wrong_where) {
  const auto error_in = [](const char* text, const delimited& format, auto action) {
    reader from = reader::from(std::string_view(text));
    auto records = from.records(format);
    return std::string(test::error_of([&] {
                         for (const record row : records) action(row, records);
                       }).what());
  };
  const auto number = [](const record& row, auto&) { row.get<int>(1); };
  const auto named = [](const record& row, auto&) { row.get<unsigned char>("b"); };
  EXPECT_EQ(error_in("1,2\n3,x4\n", csv, number), "<memory>:2:3: column 2: expected an integer, found \"x4\"");
  EXPECT_EQ(error_in("a,b\n1,2\n3,\"300\"\n", csv.with_header(), named),
            "<memory>:3:3: column 2 \"b\": expected an integer from 0 to 255, found \"300\"");
  EXPECT_EQ(error_in("a,b\n\"\n\",\n", csv.with_header(), named),
            "<memory>:3:3: column 2 \"b\": expected an integer, found an empty field");
  EXPECT_EQ(error_in("1,2\n3\n", csv, number), "<memory>:2:1: expected 2 fields, found 1");
  EXPECT_EQ(error_in("1,2\n3\n", csv.with_ragged_rows(), number), "<memory>:2:1: expected 2 fields, found 1");
  EXPECT_EQ(error_in("a,b\n1,2\n", csv, named), "<memory>: there is no header to find the column \"b\"");
  EXPECT_EQ(error_in("a,c\n1,2\n", csv.with_header(), named), "<memory>: the header has no column \"b\"");
  EXPECT_EQ(error_in("b,b\n1,2\n", csv.with_header(), named), "<memory>: the header has two columns named \"b\"");
  EXPECT_EQ(error_in("", csv.with_header(), number), "<memory>:1:1: expected a header, found the end of input");
  const std::string ragged = "only records() takes rows that are not all of one width";
  reader from = reader::from("1,2\n");
  EXPECT_EQ(test::error_of([&] { (void)headrace::read_columns<int, int>(from, csv.with_ragged_rows()); }).what(),
            "<memory>: cannot read rows: " + ragged);
}

TEST(columns_records, have_a_header) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += (i == 0 ? "c" : ",c") + std::to_string(i);
  text += '\n';
  for (int i = 0; i < 3000; ++i) text += (i == 0 ? "" : ",") + std::to_string(i);
  reader from = reader::from(text);
  auto records = from.records(csv.with_header());
  ASSERT_EQ(records.header().size(), 3000u);
  EXPECT_EQ(records.header()[2999], "c2999");
  EXPECT_EQ(records.column("c77"), 77u);
  for (const record row : records) {
    for (int i = 0; i < 3000; ++i) ASSERT_EQ(row.get<int>("c" + std::to_string(i)), i);
  }
}

}  // namespace
