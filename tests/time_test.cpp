// Dates and times: each day of the calendar there and back, what is refused, and where; as tokens and as fields.
#include <headrace/columns.hpp>
#include <headrace/headrace.hpp>
#include <headrace/time.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/errors.hpp"
#include "support/share.hpp"

namespace {

using headrace::days, headrace::sys_days, headrace::sys_time;
using std::chrono::seconds, std::chrono::milliseconds, std::chrono::microseconds, std::chrono::nanoseconds;

template <class T>
std::errc parse(std::string_view text, T& value) {
  return headrace::io<T>::parse(text.data(), text.data() + text.size(), value);
}
template <class T>
std::string format(const T& value) {
  char text[headrace::io<T>::longest];
  const char* const end = headrace::io<T>::format(text, value);
  return end == nullptr ? "no text" : std::string(text, static_cast<std::size_t>(end - text));
}

std::string text_of(unsigned year, unsigned month, unsigned day) {
  char text[16];
  std::snprintf(text, sizeof text, "%04u-%02u-%02u", year, month, day);
  return text;
}

unsigned days_of(unsigned year, unsigned month) {
  if (month == 2) return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

TEST(time, reads_and_writes_each_day_of_ten_thousand_years) {
  std::int64_t expected = -719528;
  for (unsigned year = 0; year <= 9999; ++year) {
    for (unsigned month = 0; month <= 13; ++month) {
      for (unsigned day = 0; day <= 32; ++day) {
        const bool is_day = month >= 1 && month <= 12 && day >= 1 && day <= days_of(year, month);
        const std::string text = text_of(year, month, day);
        sys_days value(days(1));
        const std::errc error = parse(text, value);
        ASSERT_EQ(error == std::errc{}, is_day) << text;
        ASSERT_EQ(value.time_since_epoch().count(), is_day ? expected++ : 1) << text;
        if (is_day) {
          ASSERT_EQ(format(value), text);
        }
      }
    }
  }
  EXPECT_EQ(expected, 2932897);
  EXPECT_EQ(format(sys_days(days(-719529))), "no text");
  EXPECT_EQ(format(sys_days(days(2932897))), "no text");
}

TEST(time, reads_and_writes_each_second_of_a_day) {
  for (int second = -86400; second < 86400; ++second) {
    const sys_time<seconds> value{seconds(second)};
    const std::string text = format(value);
    char expected[32];
    const int of_day = (second + 86400) % 86400;
    std::snprintf(expected, sizeof expected, "%sT%02d:%02d:%02d", second < 0 ? "1969-12-31" : "1970-01-01",
                  of_day / 3600, of_day / 60 % 60, of_day % 60);
    ASSERT_EQ(text, expected);
    sys_time<seconds> back;
    ASSERT_EQ(parse(text, back), std::errc{});
    ASSERT_EQ(back, value);
  }
}

// The same by loops over the digits, as far as seconds: how many, or none.
bool take_number(std::string_view text, std::size_t at, std::size_t size, int& value) {
  value = 0;
  if (at + size > text.size()) return false;
  for (const char byte : text.substr(at, size)) {
    if (byte < '0' || byte > '9') return false;
    value = value * 10 + (byte - '0');
  }
  return true;
}
std::optional<std::int64_t> slowly(std::string_view text) {
  int year, month, day, hour, minute, second, off_hour = 0, off_minute = 0;
  const bool is_shaped = take_number(text, 0, 4, year) && take_number(text, 5, 2, month) &&
                         take_number(text, 8, 2, day) && take_number(text, 11, 2, hour) &&
                         take_number(text, 14, 2, minute) && take_number(text, 17, 2, second);
  if (!is_shaped || text[4] != '-' || text[7] != '-' || text[13] != ':' || text[16] != ':') return std::nullopt;
  if (text[10] != 'T' && text[10] != ' ') return std::nullopt;
  text.remove_prefix(19);
  if (!text.empty() && text[0] == '.') {
    std::size_t size = 1;
    for (; size < text.size() && text[size] >= '0' && text[size] <= '9'; ++size) {
      if (text[size] != '0') return std::nullopt;
    }
    if (size == 1 || size > 10) return std::nullopt;
    text.remove_prefix(size);
  }
  if (!text.empty() && text != "Z") {
    const bool is_offset = text.size() == 6 && (text[0] == '+' || text[0] == '-') && text[3] == ':' &&
                           take_number(text, 1, 2, off_hour) && take_number(text, 4, 2, off_minute);
    if (!is_offset || off_hour > 23 || off_minute > 59) return std::nullopt;
    if (text[0] == '-') off_hour = -off_hour, off_minute = -off_minute;
  }
  if (month < 1 || month > 12 || day < 1 || day > int(days_of(unsigned(year), unsigned(month)))) return std::nullopt;
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  std::int64_t count = day - 1 - 719528;
  for (int past = 0; past < year; ++past) count += days_of(unsigned(past), 2) == 29 ? 366 : 365;
  for (int past = 1; past < month; ++past) count += days_of(unsigned(year), unsigned(past));
  return count * 86400 + (hour - off_hour) * 3600 + (minute - off_minute) * 60 + second;
}

TEST(time, takes_of_damaged_texts_what_a_loop_over_the_digits_takes) {
  const std::array<std::string, 6> whole = {"2026-11-23T16:01:34",       "1969-02-28 23:59:59",
                                            "2000-02-29T00:00:00.000",   "1900-12-31T12:30:00Z",
                                            "2024-01-01T05:30:59+05:30", "1600-10-09T08:07:06.0-23:59"};
  const std::string_view bytes = "0123456789-:.TZ +x/\x80";
  std::mt19937 random(5);
  for (int i = 0; i < test::share_of(100000); ++i) {
    std::string text = whole[random() % whole.size()];
    for (unsigned damage = random() % 4; damage != 0; --damage) {
      const std::size_t at = random() % text.size();
      const char byte = bytes[random() % bytes.size()];
      if (random() % 8 == 0) {
        text.erase(at, 1);
      } else if (random() % 8 == 0) {
        text.insert(at, 1, byte);
      } else {
        text[at] = byte;
      }
    }
    const std::optional<std::int64_t> expected = slowly(text);
    sys_time<seconds> value{seconds(1)};
    const std::errc error = parse(text, value);
    ASSERT_EQ(error == std::errc{}, expected.has_value()) << text;
    ASSERT_EQ(value.time_since_epoch().count(), expected.value_or(1)) << text;
  }
}

template <class Duration>
void expect_ends(const std::string& first, const std::string& last) {
  using limits = std::numeric_limits<typename Duration::rep>;
  for (const auto& [text, count] : {std::pair(first, limits::min()), std::pair(last, limits::max())}) {
    sys_time<Duration> value{Duration(1)};
    EXPECT_EQ(parse(text, value), std::errc{});
    EXPECT_EQ(value.time_since_epoch().count(), count);
    EXPECT_EQ(format(value), text);
  }
}

TEST(time, has_the_range_of_its_type) {
  expect_ends<nanoseconds>("1677-09-21T00:12:43.145224192", "2262-04-11T23:47:16.854775807");
  expect_ends<std::chrono::duration<std::int32_t>>("1901-12-13T20:45:52", "2038-01-19T03:14:07");
  sys_time<nanoseconds> value{nanoseconds(7)};
  for (const char* text : {"1677-09-21T00:12:43.145224191", "2262-04-11T23:47:16.854775808", "0000-01-01T00:00:00",
                           "9999-12-31T23:59:59.999999999"}) {
    EXPECT_EQ(parse(text, value), std::errc::result_out_of_range) << text;
  }
  sys_time<std::chrono::duration<std::int32_t>> narrow;
  EXPECT_EQ(parse("2038-01-19T03:14:08", narrow), std::errc::result_out_of_range);
  sys_time<std::chrono::duration<std::int16_t, std::ratio<86400>>> short_days;
  EXPECT_EQ(parse("2060-01-01", short_days), std::errc::result_out_of_range);
  EXPECT_EQ(value.time_since_epoch().count(), 7);
  sys_time<seconds> wide;
  EXPECT_EQ(parse("0000-01-01T00:00:00+00:01", wide), std::errc::result_out_of_range);
  EXPECT_EQ(parse("9999-12-31T23:59:59-00:01", wide), std::errc::result_out_of_range);
}

#if defined(__SIZEOF_INT128__)
TEST(time, takes_counts_of_128_bits) {
  using headrace::int128;
  using wide_days = std::chrono::duration<int128, std::ratio<86400>>;
  using wide_seconds = std::chrono::duration<int128>;
  sys_time<wide_days> day;
  sys_time<wide_seconds> second;
  EXPECT_EQ(parse("1969-12-31", day), std::errc{});
  EXPECT_EQ(parse("1969-12-31T23:59:58", second), std::errc{});
  EXPECT_EQ(format(day), "1969-12-31");
  EXPECT_EQ(format(second), "1969-12-31T23:59:58");
  // Counts whose lower 64 bits are those of a date are none.
  const int128 far = int128(1) << 64;
  for (const int128 by : {far, -far}) {
    EXPECT_EQ(format(day + wide_days(by)), "no text");
    EXPECT_EQ(format(second + wide_seconds(by)), "no text");
  }
}
#endif

TEST(time, takes_digits_as_fine_as_its_type) {
  sys_time<milliseconds> value;
  for (const auto& [text, part] : {std::pair(".5", 500), std::pair(".05", 50), std::pair(".123", 123),
                                   std::pair(".123000000", 123), std::pair(".000", 0)}) {
    EXPECT_EQ(parse(std::string("1970-01-01T00:00:00") + text, value), std::errc{}) << text;
    EXPECT_EQ(value.time_since_epoch().count(), part) << text;
  }
  for (const char* text : {".", ".1234", ".0000000001", ".1230000001", ".x", ".5x", ". 5", ".-5"}) {
    EXPECT_EQ(parse(std::string("1970-01-01T00:00:00") + text, value), std::errc::invalid_argument) << text;
  }
  EXPECT_EQ(format(sys_time<milliseconds>{milliseconds(-1)}), "1969-12-31T23:59:59.999");
  EXPECT_EQ(format(sys_time<microseconds>{microseconds(1000001)}), "1970-01-01T00:00:01.000001");
}

TEST(time, is_a_token_with_its_place_in_an_error) {
  headrace::reader in =
      headrace::reader::from(std::string_view("2026-11-23 2026-11-23T10:11:12.5\n 2026-11-23 10:11:12"));
  sys_days day;
  sys_time<milliseconds> when;
  in >> day >> when;
  EXPECT_EQ(format(day), "2026-11-23");
  EXPECT_EQ(format(when), "2026-11-23T10:11:12.500");
  const std::string said = test::message_of([&] { in >> when; });
  EXPECT_EQ(said, "<memory>:2:2: expected a date and time (YYYY-MM-DDTHH:MM:SS.SSS), found \"2026-11-23\"");
  std::string text;
  headrace::writer out = headrace::writer::into(text);
  out << day << ' ' << std::vector<sys_days>{day, day};
  out.flush();
  EXPECT_EQ(text, "2026-11-23 2026-11-23 2026-11-23");
  EXPECT_NE(test::message_of([&] {
              out << sys_days(days(2932897));
            }).find("cannot write a value that is not a date (YYYY-MM-DD)"),
            std::string::npos);
}

TEST(time, is_a_field_of_rows_columns_and_matrices) {
  const std::string text = "2026-02-28,1.5,2020-01-01 10:11:12\n\"2026-03-01\",2.5,\n";
  const auto from = [](std::string_view bytes) { return headrace::reader::from(bytes); };
  std::string back;
  headrace::writer out = headrace::writer::into(back);
  headrace::reader file = from(text);
  for (const auto& [day, price, when] : file.rows<sys_days, double, std::optional<sys_time<seconds>>>(headrace::csv)) {
    out.write_row(headrace::csv, day, price, when);
    out.write_row(headrace::delimited('-'), day, when);
  }
  out.flush();
  EXPECT_EQ(back,
            "2026-02-28,1.5,2020-01-01T10:11:12\n\"2026-02-28\"-\"2020-01-01T10:11:12\"\n2026-03-01,2.5,\n"
            "\"2026-03-01\"-\n");
  headrace::reader again = from(text);
  const auto columns =
      headrace::read_columns<sys_days, headrace::skip, std::optional<sys_time<seconds>>>(again, headrace::csv);
  ASSERT_EQ(std::get<0>(columns).size(), 2u);
  EXPECT_EQ(format(std::get<0>(columns)[1]), "2026-03-01");
  EXPECT_FALSE(std::get<1>(columns)[1].has_value());
  headrace::reader table = from("2026-02-28,2026-03-01\n2026-03-02,2026-03-03\n");
  const auto matrix = headrace::read_matrix<sys_days>(table, headrace::csv);
  EXPECT_EQ(format(matrix(1, 1)), "2026-03-03");
  headrace::reader records = from("day,x\n2026-02-28,1\n");
  for (headrace::record record : records.records(headrace::csv.with_header())) {
    EXPECT_EQ(format(record.get<sys_days>("day")), "2026-02-28");
    EXPECT_EQ(format(record.get<std::optional<sys_days>>(0).value_or(sys_days())), "2026-02-28");
  }
  headrace::reader wrong = from("2026-02-28,1\n2026-02-29,2\n");
  EXPECT_EQ(test::message_of([&] {
              for (const auto& row : wrong.rows<sys_days, int>(headrace::csv)) static_cast<void>(row);
            }),
            "<memory>:2:1: column 1: expected a date (YYYY-MM-DD), found \"2026-02-29\"");
}

#if __cplusplus > 201703L
TEST(time, knows_year_month_day) {
  using std::chrono::year_month_day;
  year_month_day value;
  EXPECT_EQ(parse("2024-02-29", value), std::errc{});
  EXPECT_EQ(sys_days(value), sys_days(days(19782)));
  EXPECT_EQ(format(value), "2024-02-29");
  EXPECT_EQ(format(year_month_day(value.year(), value.month(), std::chrono::day(30))), "no text");
}
#endif

}  // namespace
