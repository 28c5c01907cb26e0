// Rows that are written: quotes where they must be and only there; what is written reads back the same.
#include <headrace/columns.hpp>
#include <headrace/time.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "support/ends.hpp"
#include "support/errors.hpp"
#include "support/share.hpp"
#include "support/views.hpp"

namespace {

using headrace::csv;
using headrace::delimited;
using headrace::reader;
using headrace::tsv;
using headrace::writer;

template <class... T>
std::string row_of(const delimited& format, const T&... fields) {
  std::string text;
  writer to = writer::into(text);
  to.write_row(format, fields...);
  to.flush();
  return text;
}

TEST(columns_write, quotes_where_it_must) {
  EXPECT_EQ(row_of(csv, "a", std::string("b c"), std::string_view("d")), "a,b c,d\n");
  EXPECT_EQ(row_of(csv, "a,b", 1, 0.5, true, 'x'), "\"a,b\",1,0.5,1,x\n");
  EXPECT_EQ(row_of(csv, "a\nb", "c\rd", "say \"hi\""), "\"a\nb\",\"c\rd\",\"say \"\"hi\"\"\"\n");
  EXPECT_EQ(row_of(csv, ',', '"', '\n', ' '), "\",\",\"\"\"\",\"\n\", \n");
  EXPECT_EQ(row_of(csv, "", ""), ",\n");
  EXPECT_EQ(row_of(csv, ""), "\"\"\n");
  EXPECT_EQ(row_of(csv.with_empty_lines(), ""), "\n");
  EXPECT_EQ(row_of(csv, "a;b\tc"), "a;b\tc\n");
  EXPECT_EQ(row_of(delimited(';'), "a;b", "a,b"), "\"a;b\";a,b\n");
  EXPECT_EQ(row_of(csv.with_quote('\''), "it's", "\"a\""), "'it''s',\"a\"\n");
}

// The byte that matters may be anywhere in a text of any length, and bytes outside the text must not.
TEST(columns_write, each_place_of_a_text_is_looked_at) {
  for (const delimited& format : {csv, delimited('\0'), delimited('\xff').with_quote('\x80')}) {
    const std::string marks = {format.separator, format.quote, '\n', '\r'};
    for (std::size_t size = 1; size <= 150; ++size) {
      const std::string plain(size, 'x'), around = marks + plain + marks;
      const std::string_view inside = std::string_view(around).substr(marks.size(), size);
      ASSERT_EQ(row_of(format, inside, 1), plain + format.separator + "1\n");
      for (std::size_t place = 0; place < size; ++place) {
        const char mark = marks[(size + place) % marks.size()];
        std::string text = plain;
        text[place] = mark;
        std::string quoted = format.quote + text + format.quote;
        if (mark == format.quote) quoted.insert(place + 1, 1, mark);
        ASSERT_EQ(row_of(format, text, 1), quoted + format.separator + "1\n") << size << " " << place;
      }
    }
  }
}

TEST(columns_write, an_array_without_a_nul) {
  struct {
    char code[3] = {'a', ',', 'b'};
    char next[5] = "more";
    char name[4] = {'c', '\0', 'd', 'e'};
  } const record;
  EXPECT_EQ(row_of(csv, record.code, record.name, record.next, 1), "\"a,b\",c,more,1\n");
  EXPECT_THROW(row_of(csv.without_quotes(), 1, record.code), headrace::output_error);
  EXPECT_EQ(row_of(delimited(';').without_quotes(), 1, record.code), "1;a,b\n");
}

TEST(columns_write, quotes_what_would_be_taken_for_something_else) {
  EXPECT_EQ(row_of(csv, "#a", "#b"), "#a,#b\n");
  EXPECT_EQ(row_of(csv.with_comments('#'), "#a", "#b"), "\"#a\",#b\n");
  EXPECT_EQ(row_of(csv.trimmed(), " a", "b\t", "c d"), "\" a\",\"b\t\",c d\n");
  EXPECT_EQ(row_of(csv, "\xef\xbb\xbfx", "\xef\xbb\xbfy"), "\"\xef\xbb\xbfx\",\xef\xbb\xbfy\n");
}

TEST(columns_write, numbers_that_hold_the_separator) {
  EXPECT_EQ(row_of(delimited('-'), -1, 2), "\"-1\"-2\n");
  EXPECT_EQ(row_of(delimited('.'), 1.5, 2), "\"1.5\".2\n");
  EXPECT_EQ(row_of(delimited('1'), 212, 3), "\"212\"13\n");
  EXPECT_EQ(row_of(delimited('n'), std::numeric_limits<double>::infinity(), 3), "\"inf\"n3\n");
  EXPECT_EQ(row_of(delimited(';').with_decimal_comma(), 1.5, 2, 1e300), "1,5;2;1e+300\n");
  EXPECT_EQ(row_of(csv.with_decimal_comma(), 1.5, 2), "\"1,5\",2\n");
}

TEST(columns_write, numbers_in_a_style_have_the_decimal_comma) {
  using headrace::fixed, headrace::scientific;
  const delimited format = delimited(';').with_decimal_comma();
  const std::string text = row_of(format, fixed(3.14159, 2), scientific(-1234.5f, 3), fixed(7.0L, 0), "3.14");
  EXPECT_EQ(text, "3,14;-1,234e+03;7;3.14\n");
  EXPECT_EQ(row_of(csv.with_decimal_comma(), fixed(0.5, 1), 0.5), "\"0,5\",\"0,5\"\n");
  EXPECT_EQ(row_of(csv, fixed(0.5, 1)), "0.5\n");
  EXPECT_THROW(row_of(csv.with_decimal_comma().without_quotes(), 1, fixed(0.5, 1)), headrace::output_error);
  reader from = reader::from(text);
  for (const auto& [a, b, c, d] : from.rows<double, float, long double, std::string>(format)) {
    EXPECT_EQ(a, 3.14);
    EXPECT_EQ(b, -1234.f);
    EXPECT_EQ(c, 7);
    EXPECT_EQ(d, "3.14");
  }
}

TEST(columns_write, numbers_that_would_be_taken_for_a_comment_or_a_quote) {
  EXPECT_EQ(row_of(csv.with_comments('-'), -5, -6, 7), "\"-5\",-6,7\n");
  EXPECT_EQ(row_of(csv.with_comments('1'), true, true), "\"1\",1\n");
  EXPECT_EQ(row_of(csv.with_comments('i'), std::numeric_limits<double>::infinity()), "\"inf\"\n");
  EXPECT_EQ(row_of(csv.with_quote('7'), 17, 8), "71777,8\n");
  EXPECT_THROW(row_of(tsv.with_comments('-'), -5), headrace::output_error);
}

TEST(columns_write, a_nul_needs_no_quotes) {
  const std::string text("\0a", 2), row("\0a\t1\n", 5);
  EXPECT_EQ(row_of(tsv, text, 1), row);
  EXPECT_EQ(row_of(delimited('\t'), text, 1), row);
}

TEST(columns_write, optional_fields_and_skip) {
  const std::optional<int> none, seven = 7;
  const std::optional<std::string> no_text, empty = "", text = "a,b";
  EXPECT_EQ(row_of(csv, none, seven, headrace::skip{}), ",7,\n");
  EXPECT_EQ(row_of(csv, no_text, empty, text), ",\"\",\"a,b\"\n");
  EXPECT_EQ(row_of(csv, none), "\"\"\n");
}

TEST(columns_write, refuses_what_the_format_cannot_hold) {
  EXPECT_EQ(row_of(tsv, "a \"b\"", 7), "a \"b\"\t7\n");
  std::string text;
  writer to = writer::into(text);
  to.write_row(tsv, "fine", 1);
  for (const char* const bad : {"a\tb", "a\nb", "a\rb"}) {
    try {
      to.write_row(tsv, "first", bad);
      ADD_FAILURE() << "no error";
    } catch (const headrace::output_error& error) {
      EXPECT_EQ(error.code(), std::errc::invalid_argument);
      EXPECT_STREQ(error.what(), "<memory>: cannot write a field that needs quotes: the format has none");
    }
  }
  const std::optional<const char*> null = nullptr;
  for (const delimited& format : {tsv, headrace::csv}) {
    for (const bool is_optional : {false, true}) {
      try {
        is_optional ? to.write_row(format, "first", null) : to.write_row(format, "first", *null);
        ADD_FAILURE() << "no error";
      } catch (const headrace::output_error& error) {
        EXPECT_STREQ(error.what(), "<memory>: cannot write a null pointer as text: Invalid argument (0 bytes arrived)");
      }
    }
  }
  EXPECT_THROW(to.write_row(tsv, ""), headrace::output_error);
  EXPECT_THROW(to.write_row(tsv.trimmed(), " a", 1), headrace::output_error);
  const std::vector<int> ids = {1, 2};
  EXPECT_THROW(headrace::write_columns(to, tsv.with_header("a\tb"), ids), headrace::output_error);
  headrace::column<double> values;
  for (const double value : {3.0, 1.5}) values.push_back(value);
  const headrace::matrix<double> grid(std::move(values), 2);
  EXPECT_THROW(headrace::write_matrix(to, delimited('.').without_quotes(), grid), headrace::output_error);
  to.flush();
  EXPECT_EQ(text, "fine\t1\n");
}

TEST(columns_write, refuses_a_format_whose_bytes_contradict_each_other) {
  const std::pair<delimited, std::string> formats[] = {
      {delimited('\n'), "the separator is a newline or a carriage return, which end rows"},
      {delimited('\r'), "the separator is a newline or a carriage return, which end rows"},
      {csv.with_quote('\r'), "the quote is a newline or a carriage return, which end rows"},
      {csv.with_comments('\n'), "comments begin with a newline or a carriage return, which end rows"},
      {csv.with_quote(','), "the separator is the quote, too"},
      {csv.with_comments(','), "comments begin with the separator"},
      {csv.with_comments('"'), "comments begin with the quote"}};
  for (const auto& [format, fault] : formats) {
    reader from = reader::from("1,2");
    const auto message = [](auto action) { return std::string(test::error_of(action).what()); };
    EXPECT_EQ(message([&, f = format] { (void)from.rows<int>(f); }), "<memory>: cannot read rows: " + fault);
    std::string text;
    writer to = writer::into(text);
    const auto written = [&](auto action) {
      try {
        action();
      } catch (const headrace::output_error& error) {
        EXPECT_EQ(error.code(), std::errc::invalid_argument);
        return std::string(error.what());
      }
      return std::string();
    };
    const std::string refused = "<memory>: cannot write rows: " + fault;
    const std::vector<int> column{1};
    EXPECT_EQ(written([&, f = format] { to.write_row(f, 1, 2); }), refused);
    EXPECT_EQ(written([&, f = format] { headrace::write_columns(to, f, column); }), refused);
    EXPECT_EQ(written([&, f = format] { headrace::write_columns("there.csv", f, column); }),
              "there.csv: cannot write rows: " + fault);
    EXPECT_FALSE(std::ifstream("there.csv").is_open());
    to.flush();
    EXPECT_EQ(text, "");
  }
  reader from = reader::from("1,2");
  (void)from.rows<int>(delimited('\0').without_quotes());
  EXPECT_EQ((from.rows<int, int>(csv.with_comments('#')).skip_row()), true);
}

TEST(columns_write, columns_and_their_names) {
  const std::vector<int> ids = {1, 2, 3};
  headrace::column<std::string> names;
  for (const char* const name : {"a", "b,c", ""}) names.push_back(name);
  std::string text;
  writer to = writer::into(text);
  headrace::write_columns(to, csv.with_header("id", "the \"name\""), ids, names);
  to.flush();
  EXPECT_EQ(text, "id,\"the \"\"name\"\"\"\n1,a\n2,\"b,c\"\n3,\n");
  reader from = reader::from(text);
  const auto [name, id] = headrace::read_columns<std::string, int>(from, csv.with_header("the \"name\"", "id"));
  EXPECT_EQ(id.to_vector(), ids);
  EXPECT_EQ(name.to_vector(), names.to_vector());

  const std::vector<int> shorter = {1};
  EXPECT_THROW(headrace::write_columns(to, csv, ids, shorter), headrace::output_error);
  text.clear();
  headrace::write_columns(to, csv.with_header(), ids, ids);
  to.flush();
  EXPECT_EQ(text, "1,2\n1,1\n2,2\n3,3\n");
}

TEST(columns_write, a_file_and_a_matrix) {
  const test::temporary_file file("to be replaced");
  headrace::column<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i / 7.0);
  const std::vector<double> expected = values.to_vector();
  const headrace::matrix<double> grid(std::move(values), 10);
  headrace::write_matrix(file.path(), delimited(';').with_decimal_comma(), grid);
  const auto again = headrace::read_matrix<double>(file.path(), delimited(';').with_decimal_comma());
  EXPECT_EQ(again.columns(), 10u);
  EXPECT_EQ(again.values().to_vector(), expected);
  headrace::write_columns(file.path(), csv, expected);
  EXPECT_EQ(std::get<0>(headrace::read_columns<double>(file.path(), csv)).to_vector(), expected);
}

TEST(columns_write, columns_of_different_lengths_replace_no_file) {
  const test::temporary_file file("kept");
  const std::vector<int> two = {1, 2}, one = {1};
  const std::string path = file.path();
  const auto refusal = [&](const auto& to) -> std::string {
    try {
      headrace::write_columns(to, csv, two, one);
    } catch (const headrace::output_error& error) {
      return error.what();
    }
    return "no error";
  };
  const std::string expected = path + ": cannot write columns of different lengths as one table";
  EXPECT_EQ(refusal(path), expected);
  EXPECT_EQ(refusal(path.c_str()), expected);
  std::string kept;
  EXPECT_TRUE(std::ifstream(path) >> kept);
  EXPECT_EQ(kept, "kept");
}

using seconds_since = headrace::sys_time<std::chrono::seconds>;

// One of each type of column, of which some texts are longer than the buffer of a writer.
struct table_of_all {
  std::vector<std::int64_t> ids;
  std::vector<double> prices;
  std::vector<float> weights;
  std::vector<std::string> names;
  headrace::text_column notes;
  std::vector<bool> flags;
  std::vector<char> grades;
  std::vector<headrace::sys_days> days;
  std::vector<std::optional<std::string>> words;
  std::vector<std::optional<double>> ratios;
  std::vector<std::optional<seconds_since>> times;
};

table_of_all make_all(std::mt19937_64& random, std::size_t rows, std::string_view letters) {
  const auto below = [&random](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  const auto text = [&] {
    std::string made;
    for (std::size_t i = below(below(4) == 0 ? 40 : 9); i > 0; --i)
      made += below(3) == 0 ? letters[below(letters.size())] : 'x';
    if (below(2000) == 0) made += std::string(below(200000), 'y') + '"';
    return made;
  };
  const auto price = [&] {
    double value;
    const std::uint64_t bits = random();
    std::memcpy(&value, &bits, sizeof value);
    return below(2) == 0 ? static_cast<double>(below(1000000)) / 100 : value == value ? value : -0.0;
  };
  table_of_all all;
  for (; rows != 0; --rows) {
    all.ids.push_back(static_cast<std::int64_t>(random()) >> below(60));
    all.prices.push_back(price());
    all.weights.push_back(static_cast<float>(below(100000)) / 8);
    all.names.push_back(text());
    all.notes.push_back(text());
    all.flags.push_back(below(2) == 0);
    all.grades.push_back(letters[below(letters.size())]);
    all.days.push_back(headrace::sys_days(headrace::sys_days::duration(static_cast<int>(below(100000)))));
    all.words.push_back(below(3) == 0 ? std::nullopt : std::optional(text()));
    all.ratios.push_back(below(3) == 0 ? std::nullopt : std::optional(price()));
    all.times.push_back(below(3) == 0 ? std::nullopt
                                      : std::optional(seconds_since(std::chrono::seconds(below(1u << 31)))));
  }
  return all;
}

template <class... Column>
void expect_rows_of(const delimited& format, const Column&... columns) {
  const std::size_t sizes[] = {columns.size()...};
  std::string expected, written;
  writer to = writer::into(expected);
  for (std::size_t i = 0; i < sizes[0]; ++i) to.write_row(format, columns[i]...);
  to.flush();
  writer as_columns = writer::into(written);
  headrace::write_columns(as_columns, format, columns...);
  as_columns.flush();
  ASSERT_TRUE(written == expected) << written.size() << ' ' << expected.size();
}

TEST(columns_write, columns_are_what_their_rows_are) {
  std::mt19937_64 random(31);
  const delimited formats[] = {csv,
                               csv.with_quote('\''),
                               csv.trimmed().with_comments('#'),
                               delimited(';').with_decimal_comma(),
                               delimited('-'),
                               delimited('T'),
                               delimited('\0'),
                               delimited(' ').with_empty_lines(),
                               csv.with_comments('2')};
  const std::string_view letters(",;\"'\n\r #a.1-e\t\xef\xbb\xbf\0", 18);
  std::size_t turn = 0;
  for (const std::size_t rows : {0u, 1u, 2u, 127u, 128u, 129u, 300u, 5000u}) {
    ++turn;  // so that each format takes its turn
    for (const delimited& format : formats) {
      if (turn++ % test::share() != 0) continue;
      const table_of_all all = make_all(random, rows, letters);
      expect_rows_of(format, all.ids, all.prices, all.weights, all.names, all.notes, all.flags, all.grades, all.days,
                     all.words, all.ratios, all.times);
      expect_rows_of(format, all.prices);
      expect_rows_of(format, all.names);
      expect_rows_of(format, all.words);
      expect_rows_of(format, all.days, all.ratios);
      expect_rows_of(format, all.notes, all.weights);
      if (HasFatalFailure()) return;
    }
    const table_of_all plain = make_all(random, rows, "abc");
    expect_rows_of(tsv, plain.ids, plain.grades, plain.weights, plain.times);
  }
}

// Those of mixed lengths are written several at once, beside others of one length.
TEST(columns_write, columns_of_long_integers) {
  std::mt19937_64 random(32);
  for (const std::size_t rows : {15u, 16u, 127u, 128u, 129u, 5000u}) {
    std::vector<std::int64_t> mixed(rows), alike(rows), grows(rows);
    std::vector<std::uint64_t> unsigned_ones(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      mixed[i] = static_cast<std::int64_t>(random()) >> random() % 64;
      alike[i] = static_cast<std::int64_t>(1000 + i);
      grows[i] = i < 16 ? 7 : mixed[i];
      unsigned_ones[i] = random() >> random() % 64;
    }
    mixed[0] = INT64_MIN;
    unsigned_ones[1] = UINT64_MAX;
    expect_rows_of(csv, mixed);
    expect_rows_of(csv, alike);
    expect_rows_of(csv, alike, mixed, unsigned_ones, std::vector<double>(rows, 0.5));
    expect_rows_of(delimited('-'), alike, mixed, grows);
    expect_rows_of(tsv, grows, unsigned_ones, std::vector<std::string>(rows, "text"));
  }
}

// Values that are made of the bytes of a block.
struct thousands {
  std::string_view bytes;

  const char* data() const { return bytes.data(); }
  std::size_t size() const { return bytes.size(); }
  std::int64_t operator[](std::size_t i) const { return std::int64_t{1000} * bytes[i]; }
};

TEST(columns_write, columns_give_what_their_brackets_give) {
  std::mt19937_64 random(33);
  std::vector<std::int64_t> numbers(400);
  std::vector<double> floats(400);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<std::int64_t>(random()) >> random() % 64;
    floats[i] = static_cast<double>(numbers[i]) / 3;
  }
  const test::every_second<std::int64_t> some{numbers.data(), 200};
  const test::every_second<double> others{floats.data(), 200};
  expect_rows_of(csv, some);
  expect_rows_of(csv, others);
  numbers.resize(200);
  expect_rows_of(csv, numbers, some, others, thousands{std::string_view(std::string(200, 'x'))});
  expect_rows_of(csv, thousands{"\1\2\3"});
}

// Rows before the first one that cannot be written arrive.
TEST(columns_write, columns_are_written_up_to_what_is_refused) {
  const auto written = [](const delimited& format, const auto&... columns) {
    std::string text;
    writer to = writer::into(text);
    try {
      headrace::write_columns(to, format, columns...);
    } catch (const headrace::output_error& error) {
      to.flush();
      return text + error.what();
    }
    return std::string("no error");
  };
  const std::vector<double> numbers = {1.5, 2.5, 3.5};
  const std::vector<std::string> texts = {"a", "b", "c\td"};
  EXPECT_EQ(written(tsv, numbers, texts),
            "1.5\ta\n2.5\tb\n<memory>: cannot write a field that needs quotes: the format has none");
  const std::vector<const char*> pointers = {"a", nullptr, "c"};
  EXPECT_EQ(written(csv, numbers, pointers),
            "1.5,a\n<memory>: cannot write a null pointer as text: Invalid argument (0 bytes arrived)");
  const std::vector<headrace::sys_days> days(3, headrace::sys_days(headrace::sys_days::duration(5000000)));
  EXPECT_EQ(written(csv, days, numbers).rfind("<memory>: cannot write a value that is not ", 0), 0u);
  const std::vector<headrace::sys_days> epoch(3);
  EXPECT_EQ(written(tsv, texts, epoch).rfind("a\t1970-01-01\nb\t1970-01-01\n<memory>", 0), 0u);
  EXPECT_EQ(written(delimited('7').without_quotes(), numbers, epoch),
            "<memory>: cannot write a field that needs quotes: the format has none");
}

TEST(columns_write, columns_to_a_sink_that_ends) {
  std::vector<char> room(100000);
  const std::vector<int> numbers(50000, 7);
  writer to = writer::into(room.data(), room.size());
  headrace::write_columns(to, csv, numbers);
  to.flush();
  EXPECT_EQ(std::string(room.data(), 4), "7\n7\n");
  writer again = writer::into(room.data(), room.size() - 1);
  EXPECT_THROW(
      {
        headrace::write_columns(again, csv, numbers);
        again.flush();
      },
      headrace::output_error);
}

struct record {
  std::string name;
  std::int64_t id;
  double price;
  std::optional<std::string> note;
  char grade;
  bool operator==(const record& other) const {
    return name == other.name && id == other.id && price == other.price && note == other.note && grade == other.grade;
  }
};

TEST(columns_write, what_is_written_reads_back) {
  std::mt19937_64 random(12);
  const auto below = [&random](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  const delimited formats[] = {csv,
                               csv.with_quote('\''),
                               csv.trimmed().with_comments('#'),
                               delimited(';').with_decimal_comma(),
                               csv.with_decimal_comma(),
                               delimited('.'),
                               delimited('1'),
                               delimited('-').trimmed(),
                               delimited('e').with_comments('a'),
                               delimited('\0'),
                               delimited(' ').with_empty_lines(),
                               csv.with_comments('-'),
                               csv.with_quote('1').with_comments('2')};
  const std::string_view letters(",;\"'\n\r #a.1-e\t\xef\xbb\xbf\0", 18);
  const auto text = [&] {
    std::string made;
    for (std::size_t i = below(6); i > 0; --i) made += letters[below(letters.size())];
    return made;
  };
  for (int round = 0; round < test::share_of(780); ++round) {
    const delimited& format = formats[round % 13];
    std::vector<record> records;
    std::string written;
    writer to = writer::into(written);
    for (std::size_t i = below(40); i > 0; --i) {
      record next{text(), static_cast<std::int64_t>(random()) >> below(60),
                  static_cast<double>(static_cast<std::int64_t>(random())) / static_cast<double>(random()),
                  std::nullopt, letters[below(letters.size())]};
      if (below(2) == 0) next.note = text();
      records.push_back(next);
      to.write_row(format, next.name, next.id, next.price, next.note, next.grade);
    }
    to.flush();
    SCOPED_TRACE(written);
    reader from = reader::from(written);
    std::vector<record> again;
    for (const record& row : from.rows<record>(format)) again.push_back(row);
    ASSERT_EQ(again.size(), records.size());
    for (std::size_t i = 0; i < records.size(); ++i) ASSERT_TRUE(again[i] == records[i]) << "row " << i;
  }
}

}  // namespace
