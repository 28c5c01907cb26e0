// headrace/time.hpp: dates and times as values that are read and written: by >> and <<, as fields of rows, columns and
// matrices, and optionals of them. Not part of headrace.hpp.
//
//   headrace::sys_time<std::chrono::milliseconds> when = in.read<headrace::sys_time<std::chrono::milliseconds>>();
//   for (const auto& [day, price] : file.rows<headrace::sys_days, double>(headrace::csv)) ...
//
//   sys_days                       YYYY-MM-DD
//   sys_time<seconds>              YYYY-MM-DDTHH:MM:SS, or with a blank for the T; then Z, or an offset +HH:MM or
//   -HH:MM milli-, micro-, nanoseconds    the same, with up to 9 digits after a point behind the seconds
//   std::chrono::year_month_day    YYYY-MM-DD, where the standard library has it (C++20)
//
// These are std::chrono::time_point of the system's clock: without a zone a text is UTC, and an offset is taken away.
// The calendar is the proleptic Gregorian one, of the years 0000 to 9999. Written is a T, no zone, and as many digits
// after the point as the type has.
//
// Malformed: a date that there is not, 24:00, a leap second, an offset past 23:59, and digits other than 0 that are
// finer than the type. Out of range: a time before 1677-09-21 or after 2262-04-11 as nanoseconds, and what an offset
// brings out of the years. By >> a token ends at a blank: the text has a T there. A value outside the years, and a
// year_month_day that is no date, has no text: writing it throws output_error.
//
// In C++20 sys_days is std::chrono::sys_days; before, its days are a duration of 32 bits. A field of text costs a few
// nanoseconds less than one with a time: docs/start/columns.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ratio>
#include <system_error>
#include <type_traits>

#include "detail/read_digits.hpp"
#include "types.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

#if __cplusplus > 201703L
using days = std::chrono::days;
#else
using days = std::chrono::duration<std::int32_t, std::ratio<86400>>;
#endif
template <class Duration>
using sys_time = std::chrono::time_point<std::chrono::system_clock, Duration>;
using sys_days = sys_time<days>;

namespace detail {

// A date of the proleptic Gregorian calendar, its year as its text has it: 1969 is 19 and 69.
struct calendar_date {
  unsigned century, year, month, day;
};

inline constexpr std::int64_t seconds_of_day = 86400;
inline constexpr std::int64_t first_day = -719528, last_day = 2932896;  // 0000-01-01 and 9999-12-31, from 1970-01-01 on

// A month: the days of the year before it, and its own; none of what is no month.
struct month_of_year {
  std::uint16_t before, days;
};

// Months of each kind of year: four by its last two digits, where these are not 00, modulo 4; and four by its
// century's.
struct calendar {
  constexpr calendar() noexcept {
    constexpr unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    for (unsigned kind = 0; kind < 8; ++kind) {
      unsigned before = kind > 4;  // see days_from_date()
      for (unsigned month = 1; month <= 12; ++month) {
        const unsigned own = days[month - 1] + (month == 2 && kind % 4 == 0);
        months[kind][month] = {static_cast<std::uint16_t>(before), static_cast<std::uint16_t>(own)};
        before += own;
      }
    }
  }

  month_of_year months[8][32] = {};
};
inline constexpr calendar gregorian;

// Of a month below 32.
constexpr const month_of_year& month_of(const calendar_date& date) noexcept {
  return gregorian.months[date.year != 0 ? date.year % 4 : 4 + date.century % 4][date.month];
}
constexpr bool is_date(const calendar_date& date) noexcept { return date.day - 1 < month_of(date).days; }

// Days from 1970-01-01 on. Centuries and years are as if each fourth had a day more: in a century that has none, the
// first year is taken for one of 365 days too late, by which its months are a day later.
constexpr std::int32_t days_from_date(const calendar_date& date) noexcept {
  const std::uint32_t before = date.century * 146097 / 4 + (date.year * 1461 + 3) / 4 + month_of(date).before;
  return static_cast<std::int32_t>(before + date.day) - 719529;
}

// The inverse, for days between first_day and last_day. (C. Neri and L. Schneider, "Euclidean affine functions and
// their application to calendar algorithms", 2022: years begin in March, and divisions are multiplications.)
constexpr calendar_date date_from_days(std::int64_t days) noexcept {
  const auto shifted = static_cast<std::uint32_t>(days + 719468 + 146097);  // since March of the year -400
  const std::uint32_t in_centuries = 4 * shifted + 3;
  const std::uint32_t century = in_centuries / 146097;
  const std::uint32_t in_years = (in_centuries % 146097) | 3;
  const std::uint64_t product = std::uint64_t(2939745) * in_years;
  const auto year_of_century = static_cast<std::uint32_t>(product >> 32);
  const std::uint32_t day_of_year = static_cast<std::uint32_t>(product) / 2939745 / 4;
  const std::uint32_t in_months = 2141 * day_of_year + 197913;
  const bool is_next_year = day_of_year >= 306;
  const std::uint32_t month = in_months >> 16, year = 100 * century + year_of_century + is_next_year - 400;
  return {year / 100, year % 100, is_next_year ? month - 12 : month, (in_months & 0xFFFF) / 2141 + 1};
}

// Eight bytes dd?dd?dd, whose separators are known: the three numbers in bytes 0, 3 and 6. False where other bytes are
// there, or larger digits than in `most`. (10 * first + second is at most 99, so nothing is carried.)
HEADRACE_INLINE bool take_pairs(const char* from, const char (&zeros)[9], const char (&most)[9],
                                std::uint64_t& pairs) noexcept {
  const std::uint64_t digits = load_eight(from) ^ load_eight(zeros);
  const std::uint64_t to_top_bit = every_byte(0x7f) - (load_eight(most) ^ load_eight(zeros));
  pairs = digits * 10 + (digits >> 8);
  return ((digits | (digits + to_top_bit)) & every_byte(0x80)) == 0;
}
constexpr unsigned pair_at(std::uint64_t pairs, unsigned byte) noexcept { return pairs >> (8 * byte) & 0xFF; }

// The date in ten bytes. False where it is none.
HEADRACE_INLINE bool take_date(const char* from, calendar_date& date) noexcept {
  std::uint64_t pairs;
  const std::uint64_t century = (load_eight(from) & 0xFFFF) ^ 0x3030;
  const bool are_pairs = take_pairs(from + 2, "00-00-00", "99-19-39", pairs);
  date = {pair_at(century * 10 + (century >> 8), 0), pair_at(pairs, 0), pair_at(pairs, 3), pair_at(pairs, 6)};
  return likely(are_pairs && not_digits(century) == 0 && is_date(date));
}

// HH:MM:SS in eight bytes, as seconds.
HEADRACE_INLINE bool take_clock(const char* from, std::int64_t& seconds) noexcept {
  std::uint64_t pairs;
  const bool are_pairs = take_pairs(from, "00:00:00", "29:59:59", pairs);
  const unsigned hour = pair_at(pairs, 0);
  seconds = hour * 3600 + pair_at(pairs, 3) * 60 + pair_at(pairs, 6);
  return likely(are_pairs && hour < 24);
}

// Z, +HH:MM or -HH:MM, all of the bytes, as seconds. False where it is none.
inline bool take_offset(const char* from, const char* last, std::int64_t& seconds) noexcept {
  if (last - from == 1 && *from == 'Z') return true;
  if (last - from != 6 || (*from != '+' && *from != '-')) return false;
  const char text[] = {from[1], from[2], from[3], from[4], from[5], ':', '0', '0'};
  if (!take_clock(text, seconds)) return false;
  if (*from == '-') seconds = -seconds;
  return true;
}

// A point and one to nine digits, as `digits` digits after the point. False where they are none, or finer.
inline bool take_fraction(const char*& from, const char* last, unsigned digits, std::int64_t& value) noexcept {
  const char* const begin = ++from;
  for (; from != last && is_digit(*from); ++from) {
    if (static_cast<unsigned>(from - begin) < digits) {
      value = value * 10 + (*from - '0');
    } else if (*from != '0') {
      return false;
    }
  }
  for (auto had = static_cast<unsigned>(from - begin); had < digits; ++had) value *= 10;
  return from != begin && from - begin <= 9;
}

// A point in time, to `digits` digits after the point of its seconds: which seconds, and what part of the next.
struct instant {
  std::int64_t seconds;
  std::int64_t part;
};

// A fraction, an offset, or both.
inline std::errc take_rest_of_instant(const char* from, const char* last, unsigned digits, instant& to) noexcept {
  std::int64_t offset = 0;
  if (*from == '.' && !take_fraction(from, last, digits, to.part)) return std::errc::invalid_argument;
  if (from != last && !take_offset(from, last, offset)) return std::errc::invalid_argument;
  to.seconds -= offset;
  const bool is_in_years = to.seconds >= first_day * seconds_of_day && to.seconds < (last_day + 1) * seconds_of_day;
  return likely(is_in_years) ? std::errc{} : std::errc::result_out_of_range;
}

// All of a text.
HEADRACE_INLINE std::errc take_instant(const char* from, const char* last, unsigned digits, instant& to) noexcept {
  calendar_date date;
  std::int64_t clock = 0;
  const bool is_begun = last - from >= 19 && (from[10] == 'T' || from[10] == ' ') && take_date(from, date) &&
                        take_clock(from + 11, clock);
  if (unlikely(!is_begun)) return std::errc::invalid_argument;
  to = {days_from_date(date) * seconds_of_day + clock, 0};
  return last - from == 19 ? std::errc{} : take_rest_of_instant(from + 19, last, digits, to);
}

// The quotient is rounded down.
constexpr std::int64_t floor_divided(std::int64_t value, std::int64_t by) noexcept {
  return value / by - (value % by < 0);
}

inline char* write_pair(char* to, unsigned value) noexcept {
  to[0] = static_cast<char>('0' + value / 10);
  to[1] = static_cast<char>('0' + value % 10);
  return to + 2;
}
inline char* write_pairs(char* to, unsigned first, unsigned second, char separator) noexcept {
  to = write_pair(to, first);
  *to++ = separator;
  return write_pair(to, second);
}
inline char* write_date(char* to, const calendar_date& date) noexcept {
  to = write_pair(write_pair(to, date.century), date.year);
  *to++ = '-';
  return write_pairs(to, date.month, date.day, '-');
}
inline char* write_clock(char* to, unsigned seconds) noexcept {
  to = write_pairs(to, seconds / 3600, seconds / 60 % 60, ':');
  *to++ = ':';
  return write_pair(to, seconds % 60);
}

// Digits after the point of a duration in seconds; durations of other periods are neither read nor written.
template <class Period>
constexpr int point_digits = -1;
template <>
inline constexpr int point_digits<std::ratio<1>> = 0;
template <>
inline constexpr int point_digits<std::milli> = 3;
template <>
inline constexpr int point_digits<std::micro> = 6;
template <>
inline constexpr int point_digits<std::nano> = 9;

template <class Duration>
constexpr bool is_days = false;
template <class Rep>
constexpr bool is_days<std::chrono::duration<Rep, std::ratio<86400>>> = is_signed_integer<Rep>;
template <class Duration>
constexpr bool is_clock_duration = false;
template <class Rep, class Period>
constexpr bool is_clock_duration<std::chrono::duration<Rep, Period>> =
    is_signed_integer<Rep> && point_digits<Period> >= 0;

}  // namespace detail

// Days of any signed integer type: a date.
template <class Duration>
struct io<sys_time<Duration>, std::enable_if_t<detail::is_days<Duration>>> {
  static constexpr const char* expected = "a date (YYYY-MM-DD)";
  static constexpr std::size_t longest = 10;

  static std::errc parse(const char* first, const char* last, sys_time<Duration>& to) noexcept {
    detail::calendar_date date;
    if (detail::unlikely(last - first != 10 || !detail::take_date(first, date))) return std::errc::invalid_argument;
    using rep = typename Duration::rep;
    const std::int32_t count = detail::days_from_date(date);
    if (static_cast<rep>(count) != count) return std::errc::result_out_of_range;
    to = sys_time<Duration>(Duration(static_cast<rep>(count)));
    return std::errc{};
  }

  static char* format(char* to, const sys_time<Duration>& value) noexcept {
    const auto count = value.time_since_epoch().count();
    if (detail::unlikely(count < detail::first_day || count > detail::last_day)) return nullptr;
    return detail::write_date(to, detail::date_from_days(static_cast<std::int64_t>(count)));
  }
};

// Seconds, milli-, micro- or nanoseconds of any signed integer type: a date and a time.
template <class Duration>
struct io<sys_time<Duration>, std::enable_if_t<detail::is_clock_duration<Duration>>> {
  static constexpr unsigned digits = detail::point_digits<typename Duration::period>;
  static constexpr std::int64_t parts = Duration::period::den;  // of a second
  static constexpr const char* expected =
      digits == 0 ? "a date and time (YYYY-MM-DDTHH:MM:SS)" : "a date and time (YYYY-MM-DDTHH:MM:SS.SSS)";
  static constexpr std::size_t longest = 19 + (digits != 0) + digits;

  static std::errc parse(const char* first, const char* last, sys_time<Duration>& to) noexcept {
    using rep = typename Duration::rep;
    detail::instant found;
    const std::errc error = detail::take_instant(first, last, digits, found);
    if (detail::unlikely(error != std::errc{})) return error;
    // Down to the smallest value: the last second that is whole may be below it.
    std::int64_t count = 0;
    const bool is_negative = found.seconds < 0 && found.part != 0;
    const bool is_out = __builtin_mul_overflow(found.seconds + is_negative, parts, &count) ||
                        __builtin_add_overflow(count, found.part - (is_negative ? parts : 0), &count);
    constexpr rep most = detail::max_value<rep>;  // (std::numeric_limits may know no 128 bits)
    if (detail::unlikely(is_out || count < -most - 1 || count > most)) return std::errc::result_out_of_range;
    to = sys_time<Duration>(Duration(static_cast<rep>(count)));
    return std::errc{};
  }

  static char* format(char* to, const sys_time<Duration>& value) noexcept {
    const auto exact = value.time_since_epoch().count();
    const auto count = static_cast<std::int64_t>(exact);
    if (detail::unlikely(count != exact)) return nullptr;  // of 128 bits
    const std::int64_t seconds = detail::floor_divided(count, parts);
    const std::int64_t day = detail::floor_divided(seconds, detail::seconds_of_day);
    if (detail::unlikely(day < detail::first_day || day > detail::last_day)) return nullptr;
    to = detail::write_date(to, detail::date_from_days(day));
    *to++ = 'T';
    to = detail::write_clock(to, static_cast<unsigned>(seconds - day * detail::seconds_of_day));
    if constexpr (digits != 0) {
      *to = '.';
      std::int64_t part = count % parts;
      if (part < 0) part += parts;
      for (unsigned at = digits; at != 0; --at, part /= 10) to[at] = static_cast<char>('0' + part % 10);
      to += digits + 1;
    }
    return to;
  }
};

#if __cplusplus > 201703L
// A date.
template <>
struct io<std::chrono::year_month_day> {
  static constexpr const char* expected = "a date (YYYY-MM-DD)";
  static constexpr std::size_t longest = 10;

  static std::errc parse(const char* first, const char* last, std::chrono::year_month_day& to) noexcept {
    detail::calendar_date date;
    if (detail::unlikely(last - first != 10 || !detail::take_date(first, date))) return std::errc::invalid_argument;
    using namespace std::chrono;
    to = year_month_day(year(static_cast<int>(date.century * 100 + date.year)), month(date.month), day(date.day));
    return std::errc{};
  }

  static char* format(char* to, const std::chrono::year_month_day& value) noexcept {
    const auto year = static_cast<unsigned>(static_cast<int>(value.year()));  // a negative one is past 9999
    if (detail::unlikely(!value.ok() || year > 9999)) return nullptr;
    const auto month = static_cast<unsigned>(value.month()), day = static_cast<unsigned>(value.day());
    return detail::write_date(to, {year / 100, year % 100, month, day});
  }
};
#endif

}  // namespace HEADRACE_ABI
}  // namespace headrace
