// writer.hpp: what is written, how it is buffered, and that no failure to write goes unnoticed.
#include <headrace/headrace.hpp>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "support/child.hpp"
#include "support/ends.hpp"
#include "support/errors.hpp"
#include "support/share.hpp"
#include "support/views.hpp"

#if __has_include(<format>) && __cplusplus > 201703L
#include <format>
#endif
#if __has_include(<ranges>) && __cplusplus > 201703L
#include <ranges>
#endif

struct modular {
  int residue;
};
template <>
struct headrace::io<modular> {
  static void write(writer& sink, const modular& value) { sink << value.residue << " mod 7"; }
};

namespace {

using headrace::writer;
using test::break_stdout;
using test::file_for_child;
using test::outcome, test::run_child;
using test::redirect_stdout;
using test::temporary_file;

template <class... T>
std::string written(const T&... values) {
  std::string text;
  writer sink = writer::into(text);
  (sink << ... << values);
  sink.flush();
  return text;
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// ---- values

TEST(Writer, Values) {
  EXPECT_EQ(written(1, ' ', -2L, ' ', 3u, ' ', std::int8_t{-4}, ' ', std::uint8_t{200}), "1 -2 3 -4 200");
  EXPECT_EQ(written(true, false, ' ', headrace::as_word(true), ' ', headrace::as_word(false)), "10 true false");
  EXPECT_EQ(written('a', "bc", std::string("de"), std::string_view("fg")), "abcdefg");
  EXPECT_EQ(written(0.1, ' ', 2.5f, ' ', 1e100L, ' ', headrace::fixed(1.005, 2), ' ', headrace::scientific(1.5f, 1)),
            "0.1 2.5 1e+100 1.00 1.5e+00");
  EXPECT_EQ(written(headrace::base(255, 16), ' ', headrace::base(-6, 2), ' ', headrace::base(35u, 36)), "ff -110 z");
  EXPECT_EQ(written(headrace::fixed(1.0, 70000)), "1." + std::string(70000, '0'));
  EXPECT_EQ(written(headrace::scientific(1e10, 70000)), "1." + std::string(70000, '0') + "e+10");
}

TEST(Writer, TextWithZerosAndWithoutAnEnd) {
  const char array[] = "abc";
  char buffer[10] = "xy";
  EXPECT_EQ(written(array, buffer, static_cast<const char*>(buffer)), "abcxyxy");
  const char full[] = {'a', 'b', 'c'};  // no NUL: all of it is text
  const wchar_t wide[] = {L'd', L'e'};
  EXPECT_EQ(written(full, wide, full), "abcdeabc");
  std::string text;
  {
    auto sink = headrace::writer::into(text);
    sink.print(full, 1, full);
  }
  EXPECT_EQ(text, "abc1abc");
  EXPECT_EQ(written(std::string("a\0b", 3)), std::string("a\0b", 3));
  EXPECT_EQ(written("", std::string()), "");
}

TEST(Writer, WideText) {
  EXPECT_EQ(written(L"\u00e9", u"\u20ac", U"\U0001F600", u8"\u00e9", L'\u20ac', U'x'),
            "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xc3\xa9\xe2\x82\xacx");
  EXPECT_EQ(written(std::u16string(1, char16_t{0xd800}), std::u16string(1, char16_t{0xdc00})),
            "\xef\xbf\xbd\xef\xbf\xbd");  // two texts do not make one pair
  std::u16string long_text;
  std::string expected;
  for (int i = 0; i < 100000; ++i) {
    long_text += i % 7 == 0 ? u"\U0001F600" : u"ab";
    expected += i % 7 == 0 ? "\xf0\x9f\x98\x80" : "ab";
  }
  EXPECT_EQ(written(long_text), expected);
}

TEST(Writer, CollectionsAndTuples) {
  EXPECT_EQ(written(std::vector<int>{1, 2, 3}), "1 2 3");
  EXPECT_EQ(written(std::vector<int>{}), "");
  EXPECT_EQ(written(std::array<double, 2>{0.5, 1}), "0.5 1");
  EXPECT_EQ(written(std::list<std::string>{"a", "b"}), "a b");
  EXPECT_EQ(written(std::vector<bool>{true, false}), "1 0");
  EXPECT_EQ(written(std::pair(1, "x"), ' ', std::tuple(2.5, 'c', 3u)), "1 x 2.5 c 3");
  EXPECT_EQ(written(std::map<int, char>{{1, 'a'}, {2, 'b'}}), "1 a\n2 b");
  EXPECT_EQ(written(std::vector<std::vector<int>>{{1, 2}, {3, 4}}), "1 2\n3 4");
  EXPECT_EQ(written(std::vector<modular>{{1}, {2}}), "1 mod 7 2 mod 7");
  const int array[] = {7, 8, 9};
  EXPECT_EQ(written(array), "7 8 9");
}

TEST(Writer, Ranges) {
  std::string text;
  writer sink = writer::into(text);
  sink.write_range(std::vector<int>{1, -22, 333}, ',');
  sink.write_range(std::vector<int>{}, ',');
  sink.write_range(std::deque<int>{4, 5}, " and ");
  sink.write_range(std::vector<std::string>{"a", "b"}, '\n');
  sink.write_range(std::vector<std::vector<int>>{{1, 2}, {3}}, ';');
  sink.flush();
  EXPECT_EQ(text, "1,-22,3334 and 5a\nb1 2;3");
}

TEST(Writer, ViewsWithGaps) {
  const int integers[] = {1, -1, 22, -1, 333, -1};
  const double floats[] = {0.5, -1, 0.25, -1};
  EXPECT_EQ(written(test::stepping<const int>(integers, 3)), "1 22 333");
  EXPECT_EQ(written(test::stepping<const double>(floats, 2)), "0.5 0.25");
  EXPECT_EQ(written(test::stepping<const double>(floats, 0)), "");
  std::string text;
  writer sink = writer::into(text);
  sink.write_range(test::stepping<const int>(integers, 3), ';');
  sink.write_range(test::stepping<const double>(floats, 2), ',', headrace::float_style::fixed, 1);
  sink.flush();
  EXPECT_EQ(text, "1;22;3330.5,0.2");
}

TEST(Writer, RangesInAStyle) {
  using headrace::float_style;
  std::string text;
  writer sink = writer::into(text);
  sink.write_range(std::vector<double>{1, -22.346, 1e300 / 3}, ' ', float_style::scientific, 2);
  sink.write_range(std::vector<double>{}, ',', float_style::fixed, 2);
  sink.write_range(std::deque<float>{0.5f, 2.25f}, " and ", float_style::fixed, 1);
  const long double few[] = {0.125L, std::numeric_limits<long double>::infinity()};
  sink.write_range(few, '\n', float_style::fixed, 3);
  EXPECT_THROW(sink.write_range(few, ' ', float_style::fixed, -1), headrace::output_error);
  sink.flush();
  EXPECT_EQ(text, "1.00e+00 -2.23e+01 3.33e+2990.5 and 2.20.125\ninf");
}

// Across the ends of the buffer, short texts and long ones: what << writes of each.
TEST(Writer, LongRangesInAStyle) {
  std::vector<double> values;
  for (int i = 0; i < test::share_of(40000); ++i)
    values.push_back(std::ldexp(i % 7 - 3.1, i % 997 == 0 ? 1000 : i % 60 - 30));
  for (const auto style : {headrace::float_style::fixed, headrace::float_style::scientific}) {
    for (const int precision : {0, 2, 17, 40}) {
      std::string text, expected;
      writer sink = writer::into(text);
      sink.write_range(values, ';', style, precision);
      sink.flush();
      for (const double value : values) {
        char one[500];
        if (!expected.empty()) expected += ';';
        expected.append(one, headrace::format(one, one + sizeof one, value, style, precision).ptr);
      }
      ASSERT_TRUE(text == expected) << precision;
    }
  }
}

template <class Integer>
void check_long_range() {
  std::vector<Integer> values;
  std::string expected;
  std::uint64_t state = 1;
  for (int i = 0; i < test::share_of(150000); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values.push_back(static_cast<Integer>(static_cast<std::int64_t>(state) >> (state >> 20) % 64));
    expected += (i == 0 ? "" : " ") + std::to_string(values.back());
  }
  std::string text;
  writer sink = writer::into(text);
  sink.write_range(values, ' ');
  sink.flush();
  EXPECT_EQ(text, expected);
}

TEST(Writer, LongRangesOfEveryInteger) {
  check_long_range<signed char>();
  check_long_range<unsigned short>();
  check_long_range<int>();
  check_long_range<unsigned>();
  check_long_range<long>();
  check_long_range<unsigned long long>();
}

TEST(Writer, BuiltInArrays) {
  const double numbers[3] = {0.5, 1, 2.25};
  EXPECT_EQ(written(numbers), "0.5 1 2.25");
  double changing[2] = {1, 2};
  EXPECT_EQ(written(changing), "1 2");
  const char* const names[] = {"a", "b"};
  EXPECT_EQ(written(names), "a b");
  const int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(written(table), "1 2 3\n4 5 6");
  const char words[2][4] = {"one", "two"};
  EXPECT_EQ(written(words), "one two");
  std::string text;
  writer sink = writer::into(text);
  const int integers[] = {1, 2, 3};
  sink.write_range(integers, ", ");
  sink.write_range(integers, ';');
  sink.write_range(numbers, std::string(" | "));
  sink.flush();
  EXPECT_EQ(text, "1, 2, 31;2;30.5 | 1 | 2.25");
}

TEST(Writer, Paths) {
  const std::filesystem::path path = std::filesystem::path("folder") / "file \xc3\xa9.txt";
  EXPECT_EQ(written(path), path.string());
  EXPECT_EQ(written(std::vector<std::filesystem::path>{"a/b", "c"}), "a/b c");
  EXPECT_EQ(written(std::pair(std::filesystem::path("x"), 1)), "x 1");
}

// A range only while it is not const, as std::ranges::filter_view is; and one without value_type.
class even_numbers {
 public:
  explicit even_numbers(std::vector<int> values) : values_(std::move(values)) {}
  auto begin() {
    std::vector<int> kept;
    for (int value : values_) {
      if (value % 2 == 0) kept.push_back(value);
    }
    values_ = kept;
    return values_.begin();
  }
  auto end() { return values_.end(); }

 private:
  std::vector<int> values_;
};

class even_numbers_once : public even_numbers {
 public:
  using even_numbers::even_numbers;
  even_numbers_once(even_numbers_once&&) = default;
};

TEST(Writer, RangesThatAreReadWhileNotConst) {
  EXPECT_EQ(written(even_numbers({1, 2, 3, 4})), "2 4");
  std::string text;
  writer sink = writer::into(text);
  even_numbers numbers({5, 6, 8});
  sink.println(numbers, '.');
  sink.write_range(numbers, ", ");
  sink.write_range(even_numbers({10, 12}), '-');
  sink.write_range(even_numbers_once({14, 16}), '-');
  sink.write_range(std::vector<even_numbers>(2, even_numbers({2, 4})), ';');
  std::vector<bool> bits = {true, false, true};
  sink.write_range(bits, ',');
  sink.flush();
  EXPECT_EQ(text, "6 8.\n6, 810-1214-162 4;2 41,0,1");
}

#if defined(__cpp_lib_ranges)
TEST(Writer, Views) {
  namespace views = std::views;
  const std::vector<int> values = {1, 2, 3, 4};
  const auto is_even = [](int value) { return value % 2 == 0; };
  EXPECT_EQ(written(views::iota(0, 4)), "0 1 2 3");
  EXPECT_EQ(written(values | views::transform([](int value) { return value * 0.5; })), "0.5 1 1.5 2");
  EXPECT_EQ(written(values | views::reverse), "4 3 2 1");
  EXPECT_EQ(written(values | views::filter(is_even)), "2 4");
  EXPECT_EQ(written(values | views::take(2)), "1 2");
  EXPECT_EQ(written(std::map<int, char>{{1, 'a'}, {2, 'b'}} | views::keys), "1 2");
  EXPECT_EQ(written(std::vector<bool>{true, false} | views::reverse), "0 1");
  std::string text;
  writer sink = writer::into(text);
  sink.write_range(values | views::filter(is_even), ", ");
  sink.write_range(values | views::drop(1), ',');
  sink.flush();
  EXPECT_EQ(text, "2, 42,3,4");
}
#endif

TEST(Writer, ManyDigits) {
  const std::string zeros(3000, '0');
  for (int precision : {1215, 1216, 1217, 1218, 1300, 3000}) {
    const auto size = static_cast<std::size_t>(precision);
    std::string text;
    writer sink = writer::into(text);
    sink << std::string(600, 'e');  // what a look past the text would find
    sink.flush();
    text.clear();
    for (int i = 0; i < 3; ++i) {
      sink << headrace::scientific(1.0, precision) << 'e' << headrace::fixed(0.5, precision) << 'e';
    }
    sink.flush();
    std::string expected;
    for (int i = 0; i < 3; ++i) {
      expected += "1." + zeros.substr(0, size) + "e+00e0.5" + zeros.substr(0, size - 1) + 'e';
    }
    EXPECT_EQ(text, expected) << precision;
  }
  EXPECT_EQ(written(headrace::scientific(std::numeric_limits<double>::infinity(), 5000), ' ',
                    headrace::fixed(-std::numeric_limits<double>::infinity(), 5000), ' ',
                    headrace::scientific(std::numeric_limits<double>::quiet_NaN(), 5000)),
            "inf -inf nan");
}

TEST(Writer, NothingFromNowhere) {  // for the sanitizers: a null pointer with a size of 0
  std::string text;
  writer sink = writer::into(text);
  sink << std::string_view() << std::vector<int>() << std::u16string_view() << std::wstring_view();
  sink.write({});
  sink.print(std::string_view(), std::u16string_view());
  sink.write_range(std::vector<int>(), ' ');
  sink.flush_when(headrace::flush_policy::each_line);
  sink << std::u16string_view() << std::string_view();
  sink.flush();
  EXPECT_EQ(text, "");
  writer nowhere = writer::into(nullptr, 0);
  nowhere << std::string_view();
  nowhere.close();
  writer full = writer::into(nullptr, 0);
  full << 'x';
  EXPECT_THROW(full.close(), headrace::output_error);
}

TEST(Writer, PrintAndPrintln) {
  std::string text;
  writer sink = writer::into(text);
  sink.print(1, ' ', "two", ' ', 3.5);
  sink.println();
  sink.println("x", 1);
  char array[8] = "cut";
  sink.println(array, ' ', true, ' ', headrace::as_word(true), ' ', -0.5f, modular{3}, std::string("!"));
  sink.flush();
  EXPECT_EQ(text, "1 two 3.5\nx1\ncut 1 true -0.53 mod 7!\n");
  text.clear();
  std::string expected;
  for (int i = 0; i < 50000; ++i) {  // through many buffers, and at every place in one
    sink.println("line ", i, ' ', i * 0.5, ' ', std::int64_t{i} * i * i * 1000);
    expected += "line " + std::to_string(i) + ' ' + std::to_string(i / 2) + (i % 2 == 0 ? " " : ".5 ") +
                std::to_string(std::int64_t{i} * i * i * 1000) + '\n';
  }
  sink.flush();
  EXPECT_EQ(text, expected);
}

TEST(Writer, Appender) {
  std::string text;
  writer sink = writer::into(text);
  const std::string_view piece = "copied";
  std::copy(piece.begin(), piece.end(), sink.appender());
  EXPECT_EQ((sink.flush(), text), "copied");
#if defined(__cpp_lib_format)
  std::format_to(sink.appender(), " {:#x}", 255);
  EXPECT_EQ((sink.flush(), text).substr(text.size() - 5), " 0xff");
#endif
}

TEST(Writer, AppendsPastAFullBuffer) {
  std::string text;
  writer sink = writer::into(text);
  sink << std::string(65535, 'a') << headrace::scientific(2.5L, 20000) << headrace::fixed(0.25, 70000);
  sink.flush();
  EXPECT_EQ(text,
            std::string(65535, 'a') + "2.5" + std::string(19999, '0') + "e+00" + "0.25" + std::string(69998, '0'));
}

// ---- sinks

TEST(Writer, TryFlush) {
  std::string text;
  writer sink = writer::into(text);
  EXPECT_TRUE(sink.try_flush());
  sink << "here";
  EXPECT_TRUE(sink.try_flush());
  EXPECT_EQ(text, "here");
  char room[3];
  writer full = writer::into(room, sizeof room);
  full << "abcd";
  EXPECT_FALSE(full.try_flush());
  EXPECT_FALSE(full.try_flush());
  EXPECT_EQ(full.arrived(), 3u);
  EXPECT_THROW(full << 'e', headrace::output_error);
  EXPECT_THROW(full.close(), headrace::output_error);
}

TEST(Writer, DeliversAfterWhatTheBufferHolds) {
  std::string text;
  writer sink = writer::into(text);
  sink << "ab";
  EXPECT_EQ(sink.deliver("cd", 2).size, 2u);
  EXPECT_EQ(text, "abcd");
  EXPECT_EQ(sink.arrived(), 4u);

  char room[3];
  writer small = writer::into(room, sizeof room);
  small << "efgh";
  const headrace::detail::transfer done = small.deliver("ij", 2);
  EXPECT_EQ(done.size, 0u);
  EXPECT_EQ(done.error, ENOBUFS);
  EXPECT_EQ(std::string(room, 3), "efg");
  EXPECT_THROW(small.flush(), headrace::output_error);
}

TEST(Writer, Deliver) {
  char room[6];
  writer sink = writer::into(room, sizeof room);
  headrace::detail::transfer done = sink.deliver("abcd", 4);
  EXPECT_EQ(done.size, 4u);
  EXPECT_EQ(done.error, 0);
  done = sink.deliver("efgh", 4);
  EXPECT_EQ(done.size, 2u);
  EXPECT_EQ(done.error, ENOBUFS);
  EXPECT_EQ(sink.deliver("i", 1).size, 0u);
  EXPECT_EQ(sink.arrived(), 6u);
  EXPECT_THROW(sink << 'x', headrace::output_error);
}

TEST(Writer, Names) {
  const temporary_file file;
  std::string text;
  char room[4];
  EXPECT_STREQ(writer(0).name(), "<stdin>");
  EXPECT_STREQ(writer(1).name(), "<stdout>");
  EXPECT_STREQ(writer(2).name(), "<stderr>");
  EXPECT_STREQ(writer(5).name(), "<descriptor 5>");
  EXPECT_STREQ(writer(-1).name(), "<descriptor -1>");
  EXPECT_EQ(writer(file.path()).name(), file.path());
  EXPECT_EQ(writer(std::filesystem::path(file.path())).name(), file.path());
  EXPECT_STREQ(writer::into(text).name(), "<memory>");
  EXPECT_STREQ(writer::into(room, sizeof room).name(), "<memory>");
  EXPECT_STREQ(headrace::out.name(), "<stdout>");
}

// The name costs no memory, stays where it is while the writer does, and goes along when the writer is moved.
TEST(Writer, NamesStay) {
  static_assert(noexcept(std::declval<const writer&>().name()));
  static_assert(std::is_same_v<decltype(std::declval<const writer&>().name()),
                               decltype(std::declval<const headrace::reader&>().name())>);
  const temporary_file file;
  for (const bool by_path : {true, false}) {
    writer from = by_path ? writer(file.path()) : writer(12345);
    const std::string name = by_path ? file.path() : "<descriptor 12345>";
    EXPECT_EQ(from.name(), from.name());
    writer to = std::move(from);
    EXPECT_EQ(to.name(), name);
    EXPECT_STREQ(from.name(), "<moved>");
    to.close();
    EXPECT_EQ(to.name(), name) << "of what was closed";
    from = std::move(to);
    EXPECT_EQ(from.name(), name);
    EXPECT_STREQ(to.name(), "<moved>");
  }
}

TEST(Writer, FilesAreCreatedTruncatedAndAppendedTo) {
  temporary_file file;
  { writer(file.path()) << "first, and long enough to show what is left\n"; }
  { writer(file.path().c_str()) << "second\n"; }
  { writer(file.path(), headrace::open_mode::append) << "third\n"; }
  EXPECT_EQ(content(file.path()), "second\nthird\n");
}

TEST(Writer, LongOutputInEveryChunkSize) {
  for (std::size_t chunk : {1u, 7u, 255u, 256u, 257u, 4095u, 65535u, 65536u, 65537u, 65792u, 70000u, 200000u}) {
    temporary_file file;
    std::string expected;
    writer sink(file.path());
    for (std::size_t i = 0; expected.size() < 400000; ++i) {
      const std::string piece(chunk, static_cast<char>('a' + i % 26));
      expected += piece;
      sink << piece;
      if (i % 3 == 0) {
        sink << i;
        expected += std::to_string(i);
      }
    }
    sink.close();
    EXPECT_EQ(sink.arrived(), expected.size());
    ASSERT_EQ(content(file.path()), expected) << chunk;
  }
}

TEST(Writer, AStreamKeepsItsOrder) {
  temporary_file file;
  std::FILE* stream = std::fopen(file.path().c_str(), "w");
  std::fputs("before ", stream);
  {
    writer sink(stream);
    sink << "between ";
  }
  std::fputs("after", stream);
  std::fclose(stream);
  EXPECT_EQ(content(file.path()), "before between after");
}

TEST(Writer, MovesTakeTheBufferAlong) {
  std::string text;
  writer first = writer::into(text);
  first << "a";
  writer second = std::move(first);
  second << "b";
  EXPECT_THROW(first << "lost?", headrace::output_error);
  std::string other;
  writer third = writer::into(other);
  third << "c";
  third = std::move(second);
  EXPECT_EQ(other, "c");
  third << "d";
  third.close();
  EXPECT_EQ(text, "abd");
}

TEST(Writer, Policies) {
  std::string text;
  writer sink = writer::into(text);
  sink.flush_when(headrace::flush_policy::each_line);
  sink << "no line yet " << 1;
  EXPECT_EQ(text, "");
  sink << " now\nand";
  EXPECT_EQ(text, "no line yet 1 now\nand");
  sink << " more";
  EXPECT_EQ(text, "no line yet 1 now\nand");
  sink << '\n';
  EXPECT_EQ(text, "no line yet 1 now\nand more\n");
  sink.flush_when(headrace::flush_policy::each_write);
  sink << 2;
  EXPECT_EQ(text.back(), '2');
  sink.flush_when(headrace::flush_policy::when_full);
  sink << "held\n";
  EXPECT_EQ(text.back(), '2');
}

// ---- what is written is what is read back

template <class T, class Make>
void check_round_trip(const Make& make) {
  std::vector<T> values;
  for (int i = 0; i < test::share_of(20000); ++i) values.push_back(make());
  std::string one_by_one, in_bulk;
  writer sink = writer::into(one_by_one);
  for (const T& value : values) sink << value << '\n';
  sink.flush();
  writer bulk = writer::into(in_bulk);
  bulk.write_range(values, '\n');
  bulk << '\n';
  bulk.flush();
  ASSERT_EQ(one_by_one, in_bulk);

  headrace::reader source = headrace::reader::from(one_by_one);
  for (const T& value : values) ASSERT_EQ(source.read<T>(), value);
  ASSERT_TRUE(source.at_end());
  std::vector<T> back(values.size());
  headrace::reader::from(one_by_one).read(back);
  ASSERT_EQ(back, values);
}

TEST(RoundTrip, EveryTypeThatIsReadAndWritten) {
  std::mt19937_64 random(21);
  const auto any_length = [&] { return static_cast<std::int64_t>(random()) >> random() % 64; };
  check_round_trip<signed char>([&] { return static_cast<signed char>(any_length()); });
  check_round_trip<unsigned char>([&] { return static_cast<unsigned char>(any_length()); });
  check_round_trip<short>([&] { return static_cast<short>(any_length()); });
  check_round_trip<unsigned short>([&] { return static_cast<unsigned short>(any_length()); });
  check_round_trip<int>([&] { return static_cast<int>(any_length()); });
  check_round_trip<unsigned>([&] { return static_cast<unsigned>(any_length()); });
  check_round_trip<long long>([&] { return any_length(); });
  check_round_trip<unsigned long long>([&] { return static_cast<unsigned long long>(any_length()); });
#if defined(__SIZEOF_INT128__)
  check_round_trip<headrace::int128>([&] { return headrace::int128(any_length()) * any_length(); });
#endif
  const auto finite = [&](auto value) {
    do {
      const std::uint64_t bits = random();
      std::memcpy(&value, &bits, sizeof value);
    } while (!std::isfinite(value));
    return value;
  };
  check_round_trip<double>([&] { return finite(double{}); });
  check_round_trip<float>([&] { return finite(float{}); });
  check_round_trip<double>([&] { return static_cast<double>(any_length()) / 1024; });
  check_round_trip<long double>([&] { return static_cast<long double>(random()) / 1000; });
  check_round_trip<std::string>([&] {
    const auto size = static_cast<std::size_t>(1 + random() % 300);
    return std::string(size, static_cast<char>('a' + random() % 26));
  });
}

// ---- failures

TEST(WriterFailure, ASpanThatIsFull) {
  char room[5];
  writer sink = writer::into(room, sizeof room);
  sink << 123456789;
  test::expect_output_error([&] { sink.flush(); }, std::errc::no_buffer_space, 5,
                            "<memory>: cannot write: No buffer space available (5 bytes arrived)");
  EXPECT_EQ(std::string(room, 5), "12345");
  EXPECT_THROW(sink << 1, headrace::output_error);
  EXPECT_THROW(sink.flush(), headrace::output_error);
  EXPECT_THROW(sink.close(), headrace::output_error);
}

TEST(WriterFailure, ASpanThatIsJustFullTakesAll) {
  char room[5];
  writer sink = writer::into(room, sizeof room);
  sink << 12345;
  sink.close();
  EXPECT_EQ(std::string(room, 5), "12345");
}

template <class Make>
void expect_refusal(const Make& make, const std::string& message, std::errc code = std::errc::invalid_argument) {
  test::expect_output_error(make, code, 0, message + " (0 bytes arrived)");
}

TEST(WriterFailure, APathThatIsNone) {
  const std::string there_is_none = ": cannot open: No such file or directory";
  expect_refusal([] { writer("/no such folder/out.txt"); }, "/no such folder/out.txt" + there_is_none,
                 std::errc::no_such_file_or_directory);
  expect_refusal([] { writer(""); }, "\"\"" + there_is_none, std::errc::no_such_file_or_directory);
  expect_refusal([] { writer(static_cast<const char*>(nullptr)); },
                 "<nothing>: cannot open a null pointer as a path: Invalid argument");
  expect_refusal([] { writer(static_cast<std::FILE*>(nullptr)); },
                 "<nothing>: cannot write to a null FILE*: Invalid argument");
}

TEST(WriterFailure, APathThatANulCutsShort) {
  const temporary_file file("kept");
  const std::string path = file.path() + '\0' + "b", end = ": cannot open a path with a NUL in it: Invalid argument";
  expect_refusal([] { writer(std::string("a\0b", 3)); }, "\"a\\x00b\"" + end);
  EXPECT_NE(test::message_of([&] { writer{path}; }).find(end), std::string::npos);
  EXPECT_NE(test::message_of([&] { writer{std::filesystem::path(path)}; }).find(end), std::string::npos);
  EXPECT_EQ(content(file.path()), "kept");
}

TEST(WriterFailure, ANullPointerAsText) {
  std::string text;
  writer sink = writer::into(text);
  const char* narrow = nullptr;
  char* changing = nullptr;
  const char16_t* wide = nullptr;
  const std::string message = "<memory>: cannot write a null pointer as text: Invalid argument";
  expect_refusal([&] { sink << narrow; }, message);
  expect_refusal([&] { sink << changing; }, message);
  expect_refusal([&] { sink << wide; }, message);
  expect_refusal([&] { sink.println(1, narrow); }, message);
  expect_refusal([&] { sink << std::vector<const char*>{"a", nullptr}; }, message);
  sink << " usable";
  sink.flush();
  EXPECT_EQ(text, "1a  usable");
}

TEST(WriterFailure, AnArgumentThatIsRefusedLeavesTheWriterAsItWas) {
  std::string text;
  writer sink = writer::into(text);
  sink << 1;
  EXPECT_THROW(sink << headrace::base(1, 40), headrace::output_error);
  EXPECT_THROW(sink << headrace::fixed(1.0, -1), headrace::output_error);
  sink << 2;
  sink.flush();
  EXPECT_EQ(text, "12");
}

TEST(WriterFailure, AClosedDescriptorAndAClosedWriter) {
  int number;
  {
    const temporary_file gone;
    number = gone.get();
  }
  writer sink(number);
  sink << "x";
  EXPECT_THROW(sink.flush(), headrace::output_error);

  temporary_file file;
  writer closed(file.path());
  closed << "kept";
  closed.close();
  closed.close();
  EXPECT_THROW(closed << "lost", headrace::output_error);
  EXPECT_EQ(content(file.path()), "kept");
}

// ---- standard output, in programs of its own

const std::string stdout_failed = "<stdout>: cannot write: ";

TEST(StandardOutput, IsFlushedAtExit) {
  const file_for_child file;
  EXPECT_EQ(run_child([&] {
              redirect_stdout(file.path().c_str());
              std::printf("printf first, ");
              headrace::out << "then " << 1 << '\n';
            }),
            (outcome{0, ""}));
  EXPECT_EQ(content(file.path()), "printf first, then 1\n");
}

TEST(StandardOutput, AFailureAtExitIsALineAndAStatus) {
  EXPECT_EQ(run_child([] {
              ::close(1);
              headrace::out << "x";
            }),
            (outcome{1, stdout_failed + "Bad file descriptor (0 bytes arrived)\n"}));
  EXPECT_EQ(run_child([] {
              break_stdout();
              headrace::out << "x";
            }),
            (outcome{1, stdout_failed + "Broken pipe (0 bytes arrived)\n"}));
  EXPECT_EQ(run_child([] {
              ::close(1);  // nothing was written: nothing is lost
            }),
            (outcome{0, ""}));
}

TEST(StandardOutput, AFailureThatWasCaughtIsNotToldTwice) {
  EXPECT_EQ(run_child([] {
              break_stdout();
              headrace::out << "x";
              try {
                headrace::out.flush();
              } catch (const headrace::output_error&) {
                std::fputs("caught", stderr);
              }
            }),
            (outcome{0, "caught"}));
}

TEST(StandardOutput, WhatStdioHoldsSurvivesAFailure) {
  const file_for_child file;
  const auto result = run_child([&] {
    std::FILE* other = std::fopen(file.path().c_str(), "w");
    break_stdout();
    headrace::out << "x";
    std::fputs("still here", other);
  });
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(content(file.path()), "still here");
}

// Destroyed after the last flush of `out`, where it was made before the first write.
struct last_words {
  ~last_words() {
    headrace::out << "last words\n" << 2 << '\n';
    headrace::out.flush_when(headrace::flush_policy::when_full);
    headrace::out.println("and a line");
    std::fputs(headrace::out.try_flush() ? "all flushed;" : "not flushed;", stderr);
  }
};

TEST(StandardOutput, AFailureAtExitLetsOtherHandlersRun) {
  EXPECT_EQ(run_child([] {
              std::setvbuf(stderr, nullptr, _IONBF, 0);  // Windows buffers it
              std::atexit([] { std::fputs("first handler;", stderr); });
              static const last_words destroyed_late;
              std::atexit([] { std::fputs("second handler;", stderr); });
              break_stdout();
              headrace::out << "x";
              std::atexit([] { std::fputs("third handler;", stderr); });
            }),
            (outcome{1, "third handler;" + stdout_failed +
                            "Broken pipe (0 bytes arrived)\nsecond handler;not flushed;first handler;"}));
}

TEST(StandardOutput, AFailureInAStaticDestructorIsALineAndAStatus) {
  EXPECT_EQ(run_child([] {
              std::atexit([] { std::fputs("first handler;", stderr); });
              static const last_words destroyed_late;
              headrace::out << "";
              break_stdout();
            }),
            (outcome{1, stdout_failed + "Broken pipe (0 bytes arrived)\nnot flushed;first handler;"}));
}

TEST(StandardOutput, StaticDestructorsWriteToWhatWorks) {
  const file_for_child file;
  EXPECT_EQ(run_child([&] {
              static const last_words destroyed_late;
              redirect_stdout(file.path().c_str());
              headrace::out << "first words\n";
            }),
            (outcome{0, "all flushed;"}));
  EXPECT_EQ(content(file.path()), "first words\nlast words\n2\nand a line\n");
}

TEST(StandardOutput, WhatAFailureAtExitDoesIsTheProgramsChoice) {
  EXPECT_EQ(run_child([] {
              headrace::at_exit_failure(headrace::exit_policy::message);
              break_stdout();
              headrace::out << "x";
            }),
            (outcome{0, stdout_failed + "Broken pipe (0 bytes arrived)\n"}));
  EXPECT_EQ(run_child([] {
              headrace::at_exit_failure(headrace::exit_policy::nothing);
              static const last_words destroyed_late;
              break_stdout();
              headrace::out << "x";
            }),
            (outcome{0, "not flushed;"}));
}

TEST(StandardOutput, AWriteAfterItWasClosedIsNotSilent) {
  const file_for_child file;
  EXPECT_EQ(run_child([&] {
              static const last_words destroyed_late;
              redirect_stdout(file.path().c_str());
              headrace::out << "x";
              headrace::out.close();
            }),
            (outcome{1, stdout_failed + "Bad file descriptor (1 byte arrived)\nnot flushed;"}));
}

// `out` may be given another sink, as by freopen: used before or not, it is flushed at exit, and a failure then is what
// the program chose for `out`.
TEST(StandardOutput, AnotherWriterInItsPlaceIsFlushedAtExit) {
  const file_for_child file;
  for (const bool is_used : {false, true}) {
    EXPECT_EQ(run_child([&] {
                static const last_words destroyed_late;
                if (is_used) headrace::out << "";
                headrace::out = writer(file.path());
                headrace::out << "result " << 42 << '\n';
              }),
              (outcome{0, "all flushed;"}));
    EXPECT_EQ(content(file.path()), "result 42\nlast words\n2\nand a line\n");
  }
  EXPECT_EQ(run_child([] {
              break_stdout();
              headrace::out = writer(1);
              headrace::out << "x";
            }),
            (outcome{1, stdout_failed + "Broken pipe (0 bytes arrived)\n"}));
  EXPECT_EQ(run_child([] {
              headrace::at_exit_failure(headrace::exit_policy::nothing);
              break_stdout();
              writer started(1);
              started << "x";
              headrace::out = std::move(started);
            }),
            (outcome{0, ""}));
}

TEST(StandardOutput, AnotherWriterInItsPlaceWhileTheProgramEnds) {
  const file_for_child file;
  const auto result = run_child([&] {
    static const std::string path = file.path();
    std::atexit([] {  // runs after the flush of `out`
      writer started(path);
      started << "first ";
      headrace::out = std::move(started);
      headrace::out << "last";
    });
    headrace::out << "";
  });
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(content(file.path()), "first last");
}

TEST(StandardOutput, ClearsItsHookAtExit) {
  EXPECT_EQ(run_child([] {
              std::atexit([] {
                std::fputs(headrace::process::headrace_streams.flush_output == nullptr ? "cleared" : "dangling",
                           stderr);
              });
              headrace::out << "";
              if (headrace::process::headrace_streams.flush_output == nullptr) std::_Exit(4);
            }),
            (outcome{0, "cleared"}));
}

TEST(StandardOutput, StaysUsableAfterItsFlush) {
  const file_for_child file;
  const auto result = run_child([&] {
    redirect_stdout(file.path().c_str());
    std::atexit([] { headrace::out << "last words " << 2 << '\n'; });  // runs after the flush of `out`
    headrace::out << "first words\n";
  });
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(content(file.path()), "first words\nlast words 2\n");
}

TEST(StandardOutput, IsFlushedBeforeAReaderWaits) {
  const file_for_child file;
  const auto result = run_child([&] {
    redirect_stdout(file.path().c_str());
    headrace::out << "prompt? ";
    headrace::process::headrace_streams.flush_output();
    std::_Exit(4);  // which flushes nothing
  });
  EXPECT_EQ(result.status, 4);
  EXPECT_EQ(content(file.path()), "prompt? ");
}

}  // namespace
