// The reader's interface: every type, the three ways of asking, ranges, messages, moves.
#include <headrace/reader.hpp>
#include <headrace/writer.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#if __cplusplus >= 202002L && __has_include(<span>)
#include <span>
#endif

#include "support/ends.hpp"
#include "support/errors.hpp"
#include "support/views.hpp"

struct modular {
  long long residue = -1;
};
struct point {
  int x = -1, y = -1;
};
enum class colour { red, green, blue };

template <>
struct headrace::io<modular> {
  static void read(reader& from, modular& value) { value = modular{from.read<long long>() % 1000}; }
};
template <>
struct headrace::io<colour> {
  static void read(reader& from, colour& value) {
    const std::string_view name = from.peek();
    if (name != "red" && name != "green") from.reject("a colour");
    const colour found = name == "red" ? colour::red : colour::green;
    from.skip();
    value = found;
  }
};
template <>
struct headrace::io<point> {
  static void read(reader& from, point& value) {
    const int x = from.read<int>(), y = from.read<int>();
    value = point{x, y};
  }
};

namespace {

using headrace::input_error;
using headrace::reader;
using test::error_of;

// ---- types ----

TEST(reader, shifts_every_simple_type) {
  reader from = reader::from("-1 2 -3 4 5 -6 7 8 9 1.5 2.5 3.5 1 c word");
  signed char a;
  unsigned char b;
  short c;
  unsigned short d;
  int e;
  long f;
  unsigned g;
  long long h;
  unsigned long long i;
  float j;
  double k;
  long double l;
  bool m;
  char n;
  std::string o;
  from >> a >> b >> c >> d >> e >> f >> g >> h >> i >> j >> k >> l >> m >> n >> o;
  EXPECT_EQ(std::make_tuple(a, b, c, d, e, f, g, h, i), std::make_tuple(-1, 2, -3, 4, 5, -6, 7u, 8, 9u));
  EXPECT_EQ(std::make_tuple(j, k, l, m, n, o), std::make_tuple(1.5f, 2.5, 3.5L, true, 'c', "word"));
  EXPECT_TRUE(from.at_end());
}

// Short words are copied another way than long ones; the last is at the very end of the text.
TEST(reader, words_of_every_length_into_any_string) {
  std::string text;
  std::vector<std::string> expected;
  for (const std::size_t length : {1u, 11u, 12u, 13u, 15u, 16u, 2u, 40u, 5u, 300u, 1u, 12u}) {
    expected.emplace_back(length, static_cast<char>('a' + expected.size()));
    text += (text.empty() ? "" : " ") + expected.back();
  }
  for (const std::size_t reserved : {0u, 14u, 1000u}) {
    auto from = reader::from(text);
    std::string word;
    word.reserve(reserved);
    for (const std::string& one : expected) {
      from >> word;
      EXPECT_EQ(word, one);
      EXPECT_EQ(word.c_str()[word.size()], '\0');
      EXPECT_GE(word.capacity(), reserved);
    }
    EXPECT_FALSE(from.try_read(word));
    EXPECT_EQ(word, expected.back());
  }
}

TEST(reader, pairs_tuples_and_arrays) {
  reader from = reader::from("1 a 2.5\n3 4 5 6 7 8 9");
  const auto three = from.read<std::tuple<int, char, double>>();
  EXPECT_EQ(three, std::make_tuple(1, 'a', 2.5));
  const auto pair = from.read<std::pair<unsigned, std::string>>();
  EXPECT_EQ(pair, std::make_pair(3u, std::string("4")));
  const auto array = from.read<std::array<int, 3>>();
  EXPECT_EQ(array, (std::array<int, 3>{5, 6, 7}));
  int plain[2];
  from >> plain;
  EXPECT_EQ(plain[0] + plain[1], 17);
}

TEST(reader, fills_contiguous_ranges) {
  reader from = reader::from("1 2 3 4 5 6 7 8 9");
  std::vector<std::pair<int, int>> pairs(2);
  from.read(pairs);
  EXPECT_EQ(pairs[1], std::make_pair(3, 4));
  std::vector<std::string> words(2);
  from.read(words);
  EXPECT_EQ(words[1], "6");
  std::vector<long> rest(5);
  EXPECT_EQ(from.read_some(rest), 3u);
  EXPECT_EQ(rest, (std::vector<long>{7, 8, 9, 0, 0}));
  EXPECT_EQ(from.read_some(rest), 0u);
}

// Every second element: those between are left alone.
template <class View, class T>
void expect_filled(const char* text, T between, const std::vector<T>& expected) {
  std::vector<T> block(7, between);
  reader from = reader::from(text);
  View all(View{block.data(), 3}), some(View{block.data(), 4});
  from.read(all);
  EXPECT_EQ(from.read_some(some), 2u);
  EXPECT_EQ(block, expected);
}

TEST(reader, fills_views_with_gaps) {
  expect_filled<test::stepping<int>, int>("1 2 3 4 5", -7, {4, -7, 5, -7, 3, -7, -7});
  expect_filled<test::every_second<double>, double>("1 2 3 4 5", -7, {4, -7, 5, -7, 3, -7, -7});
  expect_filled<test::stepping<std::string>, std::string>("a b c d e", "-", {"d", "-", "e", "-", "c", "-", "-"});
  expect_filled<test::every_second<char>, char>("a b c d e", '-', {'d', '-', 'e', '-', 'c', '-', '-'});
}

// Its brackets cannot be compiled, and what its begin() returns is no iterator, as of a matrix of Eigen.
struct matrix_of_two {
  int values[4] = {};

  int* data() { return values; }
  std::ptrdiff_t size() const { return 4; }
  void begin() {}
  int& operator()(std::size_t row, std::size_t column) { return values[2 * row + column]; }
  template <class Index>
  int& operator[](Index) {
    static_assert(sizeof(Index) == 0, "a matrix is called with two numbers");
    return values[0];
  }
};

TEST(reader, fills_a_matrix_that_is_a_block) {
  matrix_of_two matrix;
  reader::from("1 2 3 4").read(matrix);
  EXPECT_EQ(matrix(1, 0), 3);
  EXPECT_EQ(matrix(1, 1), 4);
}

#if __cplusplus >= 202002L && __has_include(<span>)
TEST(reader, fills_spans) {
  reader from = reader::from("1 2 3 4");
  std::vector<int> values(6);
  from.read(std::span(values).subspan(1, 2));
  EXPECT_EQ(from.read_some(std::span(values).last(3)), 2u);
  EXPECT_EQ(values, (std::vector<int>{0, 1, 2, 3, 4, 0}));
}
#endif

// Each keeps the size that it was given; on an error also what was in it.
TEST(reader, vectors_within_pairs_and_tuples) {
  reader from = reader::from("1 2 3  4 5 6 7  8 9 x");
  std::pair<int, std::vector<int>> pair{0, std::vector<int>(2)};
  from >> pair;
  EXPECT_EQ(pair, std::make_pair(1, std::vector<int>{2, 3}));
  std::tuple<std::vector<long>, int, std::vector<std::vector<char>>> nested{std::vector<long>(2), 0, {{'-'}, {'-'}}};
  EXPECT_TRUE(from.try_read(nested));
  EXPECT_EQ(nested, std::make_tuple(std::vector<long>{4, 5}, 6, std::vector<std::vector<char>>{{'7'}, {'8'}}));
  EXPECT_EQ(error_of([&] { from.read(pair); }).token(), "x");
  EXPECT_EQ(pair, std::make_pair(1, std::vector<int>{2, 3}));
}

TEST(reader, ties) {
  reader from = reader::from("1 two 3 4  5 six 7 eight");
  int number = 0;
  std::string word;
  std::vector<short> numbers(2);
  from >> std::tie(number, word, numbers);
  EXPECT_EQ(std::tie(number, word, numbers), std::make_tuple(1, "two", std::vector<short>{3, 4}));
  EXPECT_FALSE(from.parse(std::tie(number, word, numbers)));
  EXPECT_EQ(std::tie(number, word, numbers), std::make_tuple(1, "two", std::vector<short>{3, 4}));
}

TEST(reader, getline_as_in_std) {
  reader from = reader::from("3\nfirst line\r\n\nlast");
  std::string line = "?", all;
  EXPECT_EQ(from.read<int>(), 3);
  while (getline(from, line)) all += '<' + line + '>';
  EXPECT_EQ(all, "<><first line><><last>");
  EXPECT_EQ(line, "last");
}

template <class Text>
using from_t = decltype(reader::from(std::declval<Text>()));
template <class Text, class = void>
constexpr bool is_taken = false;
template <class Text>
constexpr bool is_taken<Text, std::void_t<from_t<Text>>> = true;

TEST(reader, takes_no_string_that_is_about_to_go) {
  EXPECT_FALSE(is_taken<std::string>);
  EXPECT_FALSE(is_taken<const std::string>);
  EXPECT_TRUE(is_taken<std::string&>);
  EXPECT_TRUE(is_taken<const std::string&>);
  EXPECT_TRUE(is_taken<std::string_view>);
  EXPECT_TRUE(is_taken<const char*>);
  EXPECT_TRUE(is_taken<const char(&)[3]>);
}

TEST(reader, types_of_users) {
  reader from = reader::from("1001 2002 7 3 4\n");
  EXPECT_EQ(from.read<modular>().residue, 1);
  modular value;
  EXPECT_TRUE(from.try_read(value));
  EXPECT_EQ(value.residue, 2);
  std::pair<modular, point> both;
  EXPECT_TRUE(from.try_read(both));
  EXPECT_EQ(both.first.residue, 7);
  EXPECT_EQ(both.second.y, 4);
  EXPECT_FALSE(from.try_read(value));  // the end, and no exception from within
  EXPECT_FALSE(from.try_read(both));
  EXPECT_TRUE(from.parse(value).error->at_end());
}

TEST(reader, errors_within_types_of_users) {
  reader from = reader::from("12 x\n");
  point value;
  const headrace::read_result result = from.parse(value);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error->column(), 4u);
  EXPECT_EQ(value.x, -1);
  std::pair<int, modular> pair{5, {6}};
  reader again = reader::from("1 x");
  EXPECT_EQ(again.parse(pair).error->token(), "x");  // never throws, whatever is inside
  EXPECT_EQ(pair.first, 5);
  int sum = 0;
  reader values = reader::from("1 2 1003");
  for (modular one : values.values<modular>()) sum += static_cast<int>(one.residue);
  EXPECT_EQ(sum, 6);
}

// ---- the end of input ----

// A word of a set; any other is left where it is.
TEST(reader, types_of_users_refuse_a_token) {
  reader from = reader::from("red 7\n  green\nred");
  colour value = colour::blue;
  from >> value;
  EXPECT_EQ(value, colour::red);
  const input_error error = error_of([&] { (void)from.try_read(value); });
  EXPECT_STREQ(error.what(), "<memory>:1:5: expected a colour, found \"7\"");
  EXPECT_EQ(error.code(), headrace::errc::malformed);
  EXPECT_FALSE(from.parse(value));
  EXPECT_EQ(from.read<int>(), 7);
  EXPECT_EQ((from.read<std::pair<colour, colour>>()), std::make_pair(colour::green, colour::red));
  EXPECT_FALSE(from.try_read(value));
  const input_error end = error_of([&] { from >> value; });
  EXPECT_TRUE(end.at_end());
  EXPECT_TRUE(error_of([&] { from.reject("a colour"); }).at_end());
}

TEST(reader, peeks_at_a_token) {
  const std::string longest(200000, 'x');
  const std::string text = "1 2 3 four\n  " + longest + " 5";
  reader from = reader::from(text);
  EXPECT_EQ(from.peek(), "1");
  EXPECT_EQ(from.peek(), "1");
  for (int i = 1; i <= 3; ++i) EXPECT_EQ(from.read<int>(), i);  // the last is converted ahead
  EXPECT_EQ(from.peek(), "four");
  EXPECT_EQ(from.where().column, 7u);
  EXPECT_EQ(from.read<char>(), 'f');
  EXPECT_EQ(from.peek(), "our");
  EXPECT_EQ(from.read_line(), "our");
  EXPECT_EQ(from.peek(), longest);
  EXPECT_EQ(from.read<std::string>(), longest);
  EXPECT_EQ(from.peek(), "5");
  EXPECT_TRUE(from.skip());
  EXPECT_EQ(from.peek(), "");
  EXPECT_TRUE(from.at_end());
  EXPECT_EQ(reader::from("").peek(), "");
}

TEST(reader, results_are_true_when_all_went_well) {
  const std::string word = "12a";
  int value = 0;
  EXPECT_TRUE(headrace::parse(word.data(), word.data() + 2, value));
  EXPECT_FALSE(headrace::parse(word.data() + 2, word.data() + 3, value));
  reader from = reader::from(word);
  EXPECT_FALSE(from.parse(value));
}

TEST(reader, takes_a_path) {
  const test::temporary_file file("12");
  const std::filesystem::path path = file.path();
  EXPECT_EQ(reader(path).read<int>(), 12);
  EXPECT_EQ(reader(std::filesystem::path(file.path())).read<int>(), 12);
}

TEST(reader, takes_no_null_pointer) {
  const auto message_of = [](auto action) { return std::string(error_of(action).what()); };
  EXPECT_EQ(message_of([] { reader(static_cast<const char*>(nullptr)); }),
            "<nothing>: cannot open a null pointer as a path: Invalid argument");
  EXPECT_EQ(message_of([] { reader(static_cast<std::FILE*>(nullptr)); }),
            "<nothing>: cannot read from a null FILE*: Invalid argument");
}

TEST(reader, the_end_within_a_value_is_an_error) {
  std::pair<int, int> pair{7, 7};
  reader from = reader::from("1 2 3 \n");
  EXPECT_TRUE(from.try_read(pair));
  EXPECT_STREQ(error_of([&] { (void)from.try_read(pair); }).what(),
               "<memory>:2:1: expected a value, found the end of input");
  EXPECT_EQ(pair, std::make_pair(1, 2));
  EXPECT_FALSE(from.try_read(pair));  // nothing is left now

  std::vector<std::pair<int, int>> pairs(3);
  reader bulk = reader::from("1 2 3");
  EXPECT_TRUE(error_of([&] { (void)bulk.read_some(pairs); }).at_end());
  EXPECT_EQ(pairs[0], std::make_pair(1, 2));

  std::array<int, 3> array{};
  reader arrays = reader::from("1 2 3 4");
  EXPECT_TRUE(arrays.try_read(array));
  EXPECT_TRUE(error_of([&] { (void)arrays.try_read(array); }).at_end());
}

TEST(reader, three_ways_at_the_end) {
  reader from = reader::from(" 1 \n ");
  int value = 0;
  from >> value;
  value = 5;
  EXPECT_FALSE(from.try_read(value));
  const headrace::read_result result = from.parse(value);
  EXPECT_EQ(result.error->code(), std::errc::no_message);
  EXPECT_STREQ(result.error->what(), "<memory>:2:2: expected an integer, found the end of input");
  EXPECT_TRUE(error_of([&] { from >> value; }).at_end());
  EXPECT_TRUE(error_of([&] { from.read_line(); }).at_end());
  EXPECT_FALSE(from.skip());
  EXPECT_EQ(value, 5);
}

// ---- messages ----

template <class T>
std::string message(const char* text) {
  reader from = reader::from(text);
  return error_of([&] { (void)from.read<T>(); }).what();
}

TEST(reader, messages_read_as_compilers_print) {
  EXPECT_EQ(message<int>("12a"), "<memory>:1:1: expected an integer, found \"12a\"");
  EXPECT_EQ(message<int>("\n\n  --1"), "<memory>:3:3: expected an integer, found \"--1\"");
  EXPECT_EQ(message<std::uint8_t>("300"), "<memory>:1:1: expected an integer from 0 to 255, found \"300\"");
  EXPECT_EQ(message<std::int8_t>("-129"), "<memory>:1:1: expected an integer from -128 to 127, found \"-129\"");
  EXPECT_EQ(
      message<std::int64_t>("9223372036854775808"),
      "<memory>:1:1: expected an integer from -9223372036854775808 to 9223372036854775807, found \"9223372036854775808\"");
  EXPECT_EQ(message<std::uint64_t>("-1"),
            "<memory>:1:1: expected an integer from 0 to 18446744073709551615, found \"-1\"");
  EXPECT_EQ(message<double>("1,5"), "<memory>:1:1: expected a number, found \"1,5\"");
  EXPECT_EQ(message<float>("1e39"), "<memory>:1:1: expected a number that fits its type, found \"1e39\"");
  EXPECT_EQ(message<bool>("yes"), "<memory>:1:1: expected 0 or 1, found \"yes\"");
  EXPECT_EQ(message<bool>("2"), "<memory>:1:1: expected 0 or 1, found \"2\"");
  EXPECT_EQ(message<char>(" "), "<memory>:1:2: expected a character, found the end of input");
  EXPECT_EQ(message<std::string>(""), "<memory>:1:1: expected a word, found the end of input");
  EXPECT_EQ(message<int>("\x01\"\\"), "<memory>:1:1: expected an integer, found \"\\x01\\\"\\\\\"");
  EXPECT_EQ((message<std::array<int, 2>>("1 x")), "<memory>:1:3: expected an integer, found \"x\"");
}

TEST(reader, what_nobody_can_see_is_escaped_in_messages) {
  const std::string before = "<memory>:1:1: expected an integer, found ";
  EXPECT_EQ(message<int>("\xef\xbb\xbf"
                         "5"),
            before + "\"\\xef\\xbb\\xbf5\"");                                   // a byte order mark
  EXPECT_EQ(message<int>("caf\xc3\xa9\xff"), before + "\"caf\xc3\xa9\\xff\"");  // Latin-1 after UTF-8
  EXPECT_EQ(message<int>("\xe2\x82\xac\xf0\x9f\x98\x80"), before + "\"\xe2\x82\xac\xf0\x9f\x98\x80\"");  // letters
  EXPECT_EQ(message<int>("\xe2\x82"), before + "\"\\xe2\\x82\"");                                        // cut short
  EXPECT_EQ(message<int>("\xc0\x80"), before + "\"\\xc0\\x80\"");                                        // overlong
  EXPECT_EQ(message<int>("\xed\xa0\x80"), before + "\"\\xed\\xa0\\x80\"");                               // a surrogate
  EXPECT_EQ(message<int>("\xc2\x9b"), before + "\"\\xc2\\x9b\"");  // terminals obey it
  const std::string letters = std::string(39, 'x') + "\xc3\xa9";
  EXPECT_EQ(message<int>(letters.c_str()), before + '"' + letters + '"');  // not cut within a letter
  EXPECT_EQ(message<int>((letters + 'x').c_str()), before + '"' + letters + "\"...");
}

TEST(reader, a_long_token_is_cut_in_its_message) {
  const std::string text = std::string(1000, '1') + 'x';
  reader from = reader::from(text);
  const input_error error = error_of([&] { (void)from.read<int>(); });
  EXPECT_EQ(error.token(), std::string(64, '1'));
  EXPECT_EQ(std::string(error.what()), "<memory>:1:1: expected an integer, found \"" + std::string(40, '1') + "\"...");
}

// ---- words, lines and values ----

TEST(reader, mixes_values_and_lines_as_getline_does) {
  reader from = reader::from("3 apples\r\n\n 4 pears \nlast");
  EXPECT_EQ(from.read<int>(), 3);
  EXPECT_EQ(from.read_line(), " apples");
  EXPECT_EQ(from.read_line(), "");
  EXPECT_EQ(from.read<int>(), 4);
  EXPECT_EQ(from.read<std::string_view>(), "pears");
  EXPECT_EQ(from.read_line(), " ");
  EXPECT_EQ(from.read_line(), "last");
  std::string_view line;
  EXPECT_FALSE(from.try_read_line(line));
}

// After a few dozen records the reader knows where the next number of each type is, and converts them ahead.
TEST(reader, types_take_turns) {
  constexpr int records = 3000, odd = 350, bad = 701;
  const auto is_bad = [](int i) { return i % bad == bad - 1; };
  const auto long_number = [](int i) { return 1000000000000 * i - 7; };
  std::string text;
  for (int i = 0; i < records; ++i) {
    text += "w " + std::string(is_bad(i) ? "x" : "") + std::to_string(i * 7 - 1000) + ' ' + std::to_string(i / 8) +
            ".375 " + std::to_string(i) + ' ' + std::to_string(long_number(i)) + '\n';
  }
  headrace::reader reader = headrace::reader::from(text);
  std::string word;
  for (int i = 0; i < records; ++i) {
    reader >> word;
    ASSERT_EQ(word, "w");
    if (is_bad(i)) {
      const auto result = reader.parse<int>();
      ASSERT_FALSE(result);
      EXPECT_EQ(result.error->line(), static_cast<std::uint64_t>(i + 1));
      EXPECT_EQ(result.error->column(), 3u);
      EXPECT_TRUE(reader.skip());
    } else if (i % odd == 0) {  // what waits for this token is not wanted
      reader >> word;
      ASSERT_EQ(word, std::to_string(i * 7 - 1000));
    } else {
      ASSERT_EQ(reader.read<int>(), i * 7 - 1000);
    }
    ASSERT_EQ(reader.read<double>(), i / 8 + 0.375);
    ASSERT_EQ(reader.read<int>(), i);
    ASSERT_EQ(reader.read<long long>(), long_number(i));
  }
  EXPECT_TRUE(reader.at_end());
}

TEST(reader, a_view_lives_until_the_next_read) {
  const std::string text = std::string(100000, 'a') + ' ' + std::string(200000, 'b') + "\n";
  reader from = reader::from(text);
  const auto first = from.read<std::string_view>();
  EXPECT_EQ(first, std::string(100000, 'a'));
  const auto second = from.read<std::string_view>();
  EXPECT_EQ(second, std::string(200000, 'b'));
}

TEST(reader, at_end_keeps_what_was_converted_ahead) {
  reader from = reader::from("1 2 3 4 5 6 7 8 9 10");
  int sum = 0;
  while (!from.at_end()) sum += from.read<int>();
  EXPECT_EQ(sum, 55);
}

TEST(reader, reads_integers_in_a_base) {
  reader from = reader::from("ff -Zz 101 +7F 256 12g 100000000 10");
  int hex = 0, thirty_six = 0, binary = 0;
  std::int8_t narrow = 0;
  from >> headrace::base(hex, 16) >> headrace::base(thirty_six, 36) >> headrace::base(binary, 2);
  from >> headrace::base(narrow, 16);
  EXPECT_EQ(hex, 255);
  EXPECT_EQ(thirty_six, -(35 * 36 + 35));
  EXPECT_EQ(binary, 5);
  EXPECT_EQ(narrow, 127);
  const auto malformed = error_of([&] { (void)from.try_read(headrace::base(hex, 6)); });
  EXPECT_STREQ(malformed.what(), "<memory>:1:16: expected an integer in base 6, found \"256\"");
  EXPECT_EQ(hex, 255);
  EXPECT_TRUE(from.parse(headrace::base(hex, 7)));
  EXPECT_EQ(hex, 2 * 49 + 5 * 7 + 6);
  EXPECT_EQ(from.parse(headrace::base(hex, 16)).error->token(), "12g");
  from.skip();
  const headrace::read_result too_large = from.parse(headrace::base(hex, 16));
  EXPECT_EQ(too_large.error->code(), headrace::errc::out_of_range);
  EXPECT_STREQ(too_large.error->what(),
               "<memory>:1:24: expected an integer in base 16 that fits its type, found \"100000000\"");
  from.skip();
  for (const int wrong : {-1, 0, 1, 37, 266}) {
    EXPECT_EQ(error_of([&] { from >> headrace::base(hex, wrong); }).code(), headrace::errc::malformed);
  }
  from.read(headrace::base(hex, 10));
  EXPECT_EQ(hex, 10);
  EXPECT_FALSE(from.try_read(headrace::base(hex, 16)));
}

TEST(reader, reads_back_what_a_writer_writes_in_a_base) {
  for (int base = 2; base <= 36; ++base) {
    const long long least = INT64_MIN;
    std::string text;
    headrace::writer to = headrace::writer::into(text);
    to << headrace::base(least, base) << ' ' << headrace::base(UINT64_MAX, base);
    to.flush();
    reader from = reader::from(text);
    long long back = 0;
    std::uint64_t most = 0;
    from >> headrace::base(back, base) >> headrace::base(most, base);
    EXPECT_EQ(back, least);
    EXPECT_EQ(most, UINT64_MAX);
  }
}

template <class T, class E>
struct like_expected {  // as much of std::expected as a conversion needs
  struct unexpected_type {
    explicit unexpected_type(const E& given) : error(given) {}
    E error;
  };
  explicit like_expected(const T& given) : value(given) {}
  explicit like_expected(const unexpected_type& given) : error(given.error.what()) {}
  T value{};
  std::string error;
};

TEST(reader, hands_out_a_value_or_an_error) {
  reader from = reader::from("7 x 8");
  const auto seven = from.parse<int>();
  EXPECT_TRUE(seven && seven.has_value());
  EXPECT_EQ(seven.value() + *seven, 14);
  EXPECT_EQ(seven.value_or(1), 7);
  const auto none = from.parse<int>();
  EXPECT_FALSE(none || none.has_value());
  EXPECT_EQ(none.value_or(1), 1);
  EXPECT_EQ(error_of([&] { (void)none.value(); }).token(), "x");
  using expected = like_expected<int, headrace::input_error>;
  EXPECT_EQ(static_cast<expected>(seven).value, 7);
  const expected converted = none;
  EXPECT_EQ(converted.error, "<memory>:1:3: expected an integer, found \"x\"");
  from.skip();
  EXPECT_EQ(from.parse<std::string>()->size(), 1u);
  EXPECT_TRUE(from.parse<int>().error->at_end());
}

// Each look must not throw away what was converted ahead: that would convert a window for every number.
TEST(reader, looks_at_the_end_and_at_tokens_without_converting_again) {
  std::string text;
  for (int i = 0; i < 300000; ++i) text += std::to_string(i % 1000) + ' ';
  const auto seconds = [&](auto&& goes_on) {  // of the processor, the least of three
    std::clock_t least = 0;
    for (int round = 0; round < 3; ++round) {
      reader from = reader::from(text);
      const std::clock_t start = std::clock();
      int count = 0;
      for (int value; goes_on(from); ++count) from >> value;
      EXPECT_EQ(count, 300000);
      const std::clock_t took = std::clock() - start;
      if (round == 0 || took < least) least = took;
    }
    return static_cast<double>(least) / CLOCKS_PER_SEC;
  };
  const double at_end = seconds([](reader& from) { return !from.at_end(); });
  const double peek = seconds([](reader& from) { return !from.peek().empty(); });
  EXPECT_LT(at_end, 20 * peek) << "it was 60 times as long";
}

TEST(reader, skips_bad_tokens) {
  reader from = reader::from("1 2 3 4 5 x 6 300 7");
  int sum = 0, bad = 0;
  for (std::uint8_t value = 0; !from.at_end();) {
    if (from.parse(value)) {
      sum += value;
    } else {
      ++bad;
      from.skip();
    }
  }
  EXPECT_EQ(sum, 28);
  EXPECT_EQ(bad, 2);
}

// ---- places ----

TEST(reader, tells_where_it_stands) {
  reader from = reader::from("12 34\n56\n\n7");
  EXPECT_EQ(from.where().column, 1u);
  (void)from.read<int>();
  EXPECT_EQ(from.where().offset, 2u);
  for (int i = 0; i < 2; ++i) (void)from.read<int>();
  EXPECT_EQ(from.where().line, 2u);
  EXPECT_EQ(from.where().column, 3u);
  from.read_line();
  EXPECT_EQ(from.where().line, 3u);
  (void)from.read<int>();
  EXPECT_EQ(from.where().line, 4u);
  EXPECT_EQ(from.where().column, 2u);
}

TEST(reader, tells_where_it_stands_before_the_first_read) {
  const test::temporary_file file("12 34\n56\n\n7");
  ASSERT_EQ(::lseek(file.get(), 7, SEEK_SET), 7);
  reader from(file.get());
  for (int i = 0; i < 2; ++i) {
    const auto [offset, line, column] = from.where();
    EXPECT_EQ(std::make_tuple(offset, line, column), std::make_tuple(7u, 2u, 2u));
    EXPECT_FALSE(from.at_end());
  }
  EXPECT_EQ(from.read<int>(), 6);
}

TEST(reader, hands_over_what_it_holds) {
  reader from = reader::from("1 2 3 rest of it");
  for (int i = 0; i < 3; ++i) (void)from.read<int>();
  EXPECT_EQ(from.buffered(), " rest of it");
  from.consume(6);
  EXPECT_EQ(from.read<std::string>(), "of");
}

// ---- moves ----

TEST(reader, moves_with_all_it_holds) {
  const test::temporary_file file("1 2 3 4 5 6 7 x");
  reader first(file.path());
  for (int i = 1; i <= 5; ++i) EXPECT_EQ(first.read<int>(), i);
  reader second = std::move(first);
  EXPECT_EQ(second.read<int>(), 6);
  reader third(file.path());
  (void)third.read<int>();
  third = std::move(second);
  EXPECT_EQ(third.read<int>(), 7);
  EXPECT_EQ(error_of([&] { (void)third.read<int>(); }).column(), 15u);
  int value = 0;
  EXPECT_FALSE(first.try_read(value));  // moved from: empty
  EXPECT_EQ(first.descriptor(), -1);
  EXPECT_EQ(first.where().offset, 0u);
  reader& self = third;
  third = std::move(self);
  EXPECT_EQ(third.read<std::string>(), "x");
}

TEST(reader, keeps_its_name) {
  const test::temporary_file file("x");
  auto* from = new reader(file.path());
  reader other = std::move(*from);
  delete from;
  EXPECT_EQ(other.name(), file.path());
  EXPECT_STREQ(headrace::in.name(), "<stdin>");
  EXPECT_EQ(headrace::in.descriptor(), 0);
  reader number(12345), text = reader::from("7"), named(12345, "a pipe");
  for (reader* moved : {&other, &number, &text, &named}) {
    const std::string name = moved->name();
    const reader last = std::move(*moved);
    EXPECT_EQ(last.name(), name);
    EXPECT_STREQ(moved->name(), "<moved>");
    EXPECT_EQ(error_of([&] { (void)moved->read<int>(); }).what(),
              std::string("<moved>:1:1: expected an integer, found the end of input"));
  }
}

TEST(reader, refuses_a_path_that_a_nul_cuts_short) {
  const test::temporary_file file("7");
  const std::string end = ": cannot open a path with a NUL in it: Invalid argument";
  const std::string path = file.path() + '\0' + "b";
  EXPECT_EQ(error_of([] { reader from(std::string("a\0b", 3)); }).what(), "\"a\\x00b\"" + end);
  EXPECT_NE(std::string(error_of([&] { reader from(path); }).what()).find(end), std::string::npos);
}

}  // namespace
