// Columns as Arrow's C data interface and C stream: the consumer here is written from Arrow's specification, moves
// what it likes, and releases on other threads. What real consumers make of it is tested with the Python example.
#include <headrace/arrow.hpp>
#include <headrace/headrace.hpp>

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/ends.hpp"
#include "support/errors.hpp"

namespace {

using headrace::arrow_table, headrace::column, headrace::csv, headrace::reader, headrace::sys_days, headrace::sys_time;

// A consumer's structs, released where they hold something.
struct imported {
  ArrowSchema schema{};
  ArrowArray array{};

  imported() = default;
  explicit imported(arrow_table&& table) { table.export_to(&schema, &array); }
  imported(const imported&) = delete;
  imported& operator=(const imported&) = delete;
  ~imported() {
    if (schema.release != nullptr) schema.release(&schema);
    if (array.release != nullptr) array.release(&array);
  }
  std::string_view format(int i) const { return schema.children[i]->format; }
  std::string_view name(int i) const { return schema.children[i]->name; }
  const ArrowArray& child(int i) const { return *array.children[i]; }
};

template <class T>
column<T> make_column(std::initializer_list<T> values) {
  column<T> made;
  for (const T& value : values) made.push_back(value);
  return made;
}

bool bit(const void* bits, std::int64_t i) {
  return (static_cast<const unsigned char*>(bits)[i / 8] >> (i % 8) & 1) != 0;
}
bool is_null(const ArrowArray& array, std::int64_t i) {
  return array.buffers[0] != nullptr && !bit(array.buffers[0], i);
}
template <class T>
T value(const ArrowArray& array, std::int64_t i) {
  T found;
  std::memcpy(&found, static_cast<const char*>(array.buffers[1]) + static_cast<std::size_t>(i) * sizeof found,
              sizeof found);
  return found;
}
std::string_view text(const ArrowArray& array, std::int64_t i) {
  const auto begin = value<std::int64_t>(array, i), end = value<std::int64_t>(array, i + 1);
  return {static_cast<const char*>(array.buffers[2]) + begin, static_cast<std::size_t>(end - begin)};
}

template <class Array>
class arrow_numbers : public testing::Test {};
using number_types = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                                    std::int64_t, std::uint64_t, long, unsigned long, float, double>;
TYPED_TEST_SUITE(arrow_numbers, number_types);

template <class T>
std::string_view format_of() {
  if (std::is_floating_point_v<T>) return sizeof(T) == 4 ? "f" : "g";
  const std::string_view formats = std::is_signed_v<T> ? "csil" : "CSIL";
  return formats.substr(sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3, 1);
}

TYPED_TEST(arrow_numbers, are_not_copied) {
  using limits = std::numeric_limits<TypeParam>;
  column<TypeParam> values = make_column<TypeParam>({limits::lowest(), 0, limits::max()});
  const void* const data = values.data();
  arrow_table table;
  table.add("n", std::move(values));
  const imported got(std::move(table));
  EXPECT_EQ(got.format(0), format_of<TypeParam>());
  EXPECT_EQ(got.schema.children[0]->flags, 0);
  const ArrowArray& child = got.child(0);
  EXPECT_EQ(child.buffers[1], data);
  EXPECT_EQ(child.buffers[0], nullptr);
  EXPECT_EQ(std::make_tuple(child.length, child.null_count, child.offset, child.n_buffers, child.n_children),
            std::make_tuple(3, 0, 0, 2, 0));
  EXPECT_EQ(value<TypeParam>(child, 0), limits::lowest());
  EXPECT_EQ(value<TypeParam>(child, 2), limits::max());
}

TYPED_TEST(arrow_numbers, are_null_where_an_optional_is_empty) {
  for (const std::size_t count : {0u, 1u, 7u, 8u, 9u, 1000u}) {
    column<std::optional<TypeParam>> values;
    for (std::size_t i = 0; i < count; ++i) {
      values.push_back(i % 3 == 1 ? std::nullopt : std::optional<TypeParam>(static_cast<TypeParam>(i % 100)));
    }
    arrow_table table;
    table.add("n", std::move(values));
    const imported got(std::move(table));
    EXPECT_EQ(got.format(0), format_of<TypeParam>());
    EXPECT_EQ(got.schema.children[0]->flags, ARROW_FLAG_NULLABLE);
    const ArrowArray& child = got.child(0);
    EXPECT_EQ(child.length, static_cast<std::int64_t>(count));
    EXPECT_EQ(child.null_count, static_cast<std::int64_t>((count + 1) / 3));
    for (std::int64_t i = 0; i < child.length; ++i) {
      ASSERT_EQ(is_null(child, i), i % 3 == 1);
      ASSERT_EQ(value<TypeParam>(child, i), static_cast<TypeParam>(i % 3 == 1 ? 0 : i % 100));
    }
  }
}

TEST(arrow, an_optional_without_nulls_has_no_bits) {
  arrow_table table;
  table.add("n", make_column<std::optional<int>>({1, 2}));
  const imported got(std::move(table));
  EXPECT_EQ(got.child(0).buffers[0], nullptr);
  EXPECT_EQ(got.schema.children[0]->flags, ARROW_FLAG_NULLABLE);
}

TEST(arrow, bools_are_bits) {
  for (const std::size_t count : {0u, 1u, 8u, 17u}) {
    column<bool> values;
    column<std::optional<bool>> optionals;
    for (std::size_t i = 0; i < count; ++i) {
      values.push_back(i % 3 == 0);
      optionals.push_back(i % 5 == 0 ? std::nullopt : std::optional<bool>(i % 3 == 0));
    }
    arrow_table table;
    table.add("b", std::move(values));
    table.add("o", std::move(optionals));
    const imported got(std::move(table));
    EXPECT_EQ(got.format(0), "b");
    EXPECT_EQ(got.format(1), "b");
    for (std::int64_t i = 0; i < got.array.length; ++i) {
      EXPECT_EQ(bit(got.child(0).buffers[1], i), i % 3 == 0);
      EXPECT_EQ(is_null(got.child(1), i), i % 5 == 0);
      EXPECT_EQ(bit(got.child(1).buffers[1], i), i % 5 != 0 && i % 3 == 0);
    }
  }
}

TEST(arrow, a_text_column_is_not_copied) {
  headrace::text_column texts;
  for (const char* each : {"", "caf\u00e9", "x"}) texts.push_back(each);
  const void* const ends = texts.ends();
  const void* const bytes = texts.data();
  arrow_table table;
  table.add("t", std::move(texts));
  const imported got(std::move(table));
  EXPECT_EQ(got.format(0), "U");
  EXPECT_EQ(got.child(0).n_buffers, 3);
  EXPECT_EQ(got.child(0).buffers[1], ends);
  EXPECT_EQ(got.child(0).buffers[2], bytes);
  EXPECT_EQ(text(got.child(0), 1), "caf\u00e9");
}

TEST(arrow, other_texts_become_one) {
  arrow_table table;
  table.add("s", make_column<std::string>({"a long text that is on the heap", ""}));
  table.add("c", make_column<char>({'x', 'y'}));
  table.add("o", make_column<std::optional<std::string>>({std::nullopt, ""}));
  const imported got(std::move(table));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(got.format(i), "U");
  EXPECT_EQ(text(got.child(0), 0), "a long text that is on the heap");
  EXPECT_EQ(text(got.child(1), 1), "y");
  EXPECT_TRUE(is_null(got.child(2), 0));
  EXPECT_FALSE(is_null(got.child(2), 1));
}

template <class Duration>
void expect_times(std::string_view format, bool is_copied) {
  using time = sys_time<Duration>;
  column<time> times = make_column<time>({time(Duration(-1)), time(Duration(1'000'000))});
  const void* const data = times.data();
  arrow_table table;
  table.add("t", std::move(times));
  table.add("o", make_column<std::optional<time>>({std::nullopt, time(Duration(7))}));
  const imported got(std::move(table));
  EXPECT_EQ(got.format(0), format);
  EXPECT_EQ(got.format(1), format);
  EXPECT_EQ(got.child(0).buffers[1] != data, is_copied);
  EXPECT_EQ(value<std::int64_t>(got.child(0), 0), -1);
  EXPECT_EQ(value<std::int64_t>(got.child(0), 1), 1'000'000);
  EXPECT_TRUE(is_null(got.child(1), 0));
  EXPECT_EQ(value<std::int64_t>(got.child(1), 1), 7);
}

TEST(arrow, times_are_timestamps_of_utc) {
  expect_times<std::chrono::seconds>("tss:UTC", false);
  expect_times<std::chrono::milliseconds>("tsm:UTC", false);
  expect_times<std::chrono::microseconds>("tsu:UTC", false);
  expect_times<std::chrono::nanoseconds>("tsn:UTC", false);
  expect_times<std::chrono::duration<std::int32_t>>("tss:UTC", true);
}

TEST(arrow, dates_are_days) {
  using wide_days = std::chrono::duration<std::int64_t, std::ratio<86400>>;
  arrow_table table;
  table.add("d", make_column<sys_days>({sys_days(headrace::days(-719528)), sys_days(headrace::days(2932896))}));
  table.add("o", make_column<std::optional<sys_days>>({std::nullopt, sys_days(headrace::days(1))}));
  table.add("w", make_column<sys_time<wide_days>>({sys_time<wide_days>(wide_days(2)), {}}));
  const imported got(std::move(table));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(got.format(i), "tdD");
  EXPECT_EQ(value<std::int32_t>(got.child(0), 0), -719528);
  EXPECT_EQ(value<std::int32_t>(got.child(0), 1), 2932896);
  EXPECT_TRUE(is_null(got.child(1), 0));
  EXPECT_EQ(value<std::int32_t>(got.child(1), 1), 1);
  EXPECT_EQ(value<std::int32_t>(got.child(2), 0), 2);

  arrow_table refused;
  const wide_days too_many(std::int64_t(1) << 31);
  refused.add("w", make_column<sys_time<wide_days>>({{}, sys_time<wide_days>(too_many)}));
  test::expect_output_error([&] { (void)imported(std::move(refused)); }, std::errc::invalid_argument, 0,
                            "row 2, column \"w\": no date that Arrow's date32 can hold");
#if defined(__SIZEOF_INT128__)
  using widest_days = std::chrono::duration<headrace::int128, std::ratio<86400>>;
  arrow_table far;
  far.add("w", make_column<sys_time<widest_days>>({sys_time<widest_days>(widest_days(headrace::int128(1) << 64))}));
  EXPECT_EQ(test::message_of([&] { (void)imported(std::move(far)); }),
            "row 1, column \"w\": no date that Arrow's date32 can hold");
#endif
}

#if __cplusplus > 201703L
TEST(arrow, calendar_dates_are_days) {
  using namespace std::chrono;
  arrow_table table;
  table.add("d", make_column<year_month_day>({2026y / 2 / 28, 1969y / 12 / 31}));
  table.add("o", make_column<std::optional<year_month_day>>({std::nullopt, 1970y / 1 / 2}));
  const imported got(std::move(table));
  EXPECT_EQ(value<std::int32_t>(got.child(0), 0), 20512);
  EXPECT_EQ(value<std::int32_t>(got.child(0), 1), -1);
  EXPECT_EQ(value<std::int32_t>(got.child(1), 1), 1);

  arrow_table refused;
  refused.add("d", make_column<year_month_day>({2026y / 2 / 29}));
  EXPECT_EQ(test::message_of([&] { (void)imported(std::move(refused)); }),
            "row 1, column \"d\": no date that Arrow's date32 can hold");
}
#endif

// ---- tables ----

TEST(arrow, a_table_has_the_names_of_its_format) {
  reader from = reader::from("price,id,name\n0.5,1,a\n,2,\"b, c\"\n");
  const auto format = csv.with_header("id", "price", "name");
  arrow_table table(format, headrace::read_columns<int, std::optional<double>, headrace::text>(from, format));
  EXPECT_EQ(table.columns(), 3u);
  EXPECT_EQ(table.rows(), 2u);
  const imported got(std::move(table));
  EXPECT_EQ(table.columns(), 0u);
  EXPECT_STREQ(got.schema.format, "+s");
  EXPECT_EQ(got.schema.n_children, 3);
  EXPECT_EQ(got.array.length, 2);
  EXPECT_EQ(got.array.n_buffers, 1);
  EXPECT_EQ(got.array.buffers[0], nullptr);
  EXPECT_EQ(got.name(0), "id");
  EXPECT_EQ(got.name(1), "price");
  EXPECT_EQ(got.name(2), "name");
  EXPECT_EQ(value<int>(got.child(0), 1), 2);
  EXPECT_EQ(value<double>(got.child(1), 0), 0.5);
  EXPECT_TRUE(is_null(got.child(1), 1));
  EXPECT_EQ(text(got.child(2), 1), "b, c");
}

TEST(arrow, without_names_columns_are_numbered) {
  reader from = reader::from("1,2,3\n");
  const imported got(arrow_table(csv, headrace::read_columns<int, headrace::skip, int>(from, csv)));
  EXPECT_EQ(got.schema.n_children, 2);
  EXPECT_EQ(got.name(0), "1");
  EXPECT_EQ(got.name(1), "2");
}

TEST(arrow, a_table_may_be_empty) {
  const imported none{arrow_table()};
  EXPECT_EQ(none.schema.n_children, 0);
  EXPECT_EQ(none.array.length, 0);
  reader from = reader::from("a,b\n");
  const auto format = csv.with_header("a", "b");
  const imported no_rows(arrow_table(format, headrace::read_columns<bool, headrace::text>(from, format)));
  EXPECT_EQ(no_rows.array.length, 0);
  EXPECT_EQ(value<std::int64_t>(no_rows.child(1), 0), 0);
}

TEST(arrow, a_table_moves) {
  arrow_table table;
  table.add("a", make_column<int>({1}));
  arrow_table other(std::move(table));
  EXPECT_EQ(table.columns(), 0u);
  table.add("b", make_column<int>({2}));
  table = std::move(other);
  const imported got(std::move(table));
  EXPECT_EQ(got.schema.n_children, 1);
  EXPECT_EQ(got.name(0), "a");
}

// ---- columns that are chosen at run time ----

using headrace::arrow_field, headrace::arrow_kind, headrace::read_arrow, headrace::rejects, headrace::threads;

TEST(arrow, each_kind_can_be_chosen) {
  const test::temporary_file file(
      "b,i,l,u,f,d,t,day,at\n1,-1,-2,3,0.5,0.25,\"a, b\",1970-01-02,1970-01-01T00:00:01Z\n"
      "0,7,8,9,1,2,,2000-01-01,2000-01-01 00:00:00\n");
  const std::vector<arrow_field> fields = {
      {"at", arrow_kind::timestamp}, {"b", arrow_kind::boolean}, {"i", arrow_kind::int32},
      {"l", arrow_kind::int64},      {"u", arrow_kind::uint64},  {"f", arrow_kind::float32},
      {"d", arrow_kind::float64},    {"t", arrow_kind::text},    {"day", arrow_kind::date}};
  const imported got(read_arrow(file.path(), csv.with_header(), fields, threads{1}));
  ASSERT_EQ(got.schema.n_children, 9);
  EXPECT_EQ(got.array.length, 2);
  const std::string_view formats[] = {"tsu:UTC", "b", "i", "l", "L", "f", "g", "U", "tdD"};
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(got.name(i), fields[static_cast<std::size_t>(i)].name);
    EXPECT_EQ(got.format(i), formats[i]);
    EXPECT_EQ(got.schema.children[i]->flags, 0);
  }
  EXPECT_EQ(value<std::int64_t>(got.child(0), 0), 1'000'000);
  EXPECT_TRUE(bit(got.child(1).buffers[1], 0));
  EXPECT_EQ(value<std::int32_t>(got.child(2), 0), -1);
  EXPECT_EQ(value<std::int64_t>(got.child(3), 1), 8);
  EXPECT_EQ(value<std::uint64_t>(got.child(4), 1), 9u);
  EXPECT_EQ(value<float>(got.child(5), 0), 0.5f);
  EXPECT_EQ(value<double>(got.child(6), 0), 0.25);
  EXPECT_EQ(text(got.child(7), 0), "a, b");
  EXPECT_EQ(value<std::int32_t>(got.child(8), 0), 1);
}

TEST(arrow, each_kind_can_be_nullable) {
  const test::temporary_file file("1,2,\n,,x\n");
  for (int kind = 0; kind <= static_cast<int>(arrow_kind::timestamp); ++kind) {
    const auto chosen = static_cast<arrow_kind>(kind);
    const bool is_time = chosen == arrow_kind::date || chosen == arrow_kind::timestamp;
    const test::temporary_file dates(chosen == arrow_kind::date ? "2000-01-01,2,\n,,x\n"
                                                                : "2000-01-01T00:00:00,2,\n,,x\n");
    const imported got(read_arrow((is_time ? dates : file).path(), csv,
                                  {{"a", chosen, true}, {"b", arrow_kind::int32, true}, {"c", arrow_kind::text}},
                                  threads{1}));
    EXPECT_EQ(got.schema.children[0]->flags, ARROW_FLAG_NULLABLE);
    EXPECT_FALSE(is_null(got.child(0), 0));
    EXPECT_TRUE(is_null(got.child(0), 1));
    EXPECT_EQ(text(got.child(2), 1), "x");
  }
}

// Of several pieces of half a MiB.
std::string large_table(bool has_bad_rows) {
  std::string made = "id,price,name,day\n";
  for (int i = 0; i < 60'000; ++i) {
    made += has_bad_rows && i % 1000 == 7 ? "x" : std::to_string(i);
    made += i % 5 == 0 ? "," : "," + std::to_string(i) + ".5";
    made += i % 11 == 0 ? ",\"two\nlines, " : ",\"name ";
    made += std::to_string(i * 7) + "\",2000-01-" + (i % 2 == 0 ? "01" : "31") + "\n";
  }
  return made;
}

TEST(arrow, any_number_of_threads_reads_what_read_columns_reads) {
  for (const bool has_bad_rows : {false, true}) {
    const test::temporary_file file(large_table(has_bad_rows));
    rejects expected_aside;
    const auto format = csv.with_header("day", "id", "price", "name");
    const auto [days, ids, prices, names] =
        headrace::read_columns<sys_days, std::int64_t, std::optional<double>, headrace::text>(file.path(), format,
                                                                                              expected_aside);
    for (const unsigned count : {1u, 2u, 3u, 17u}) {
      rejects aside;
      const imported got(read_arrow(file.path(), csv.with_header(),
                                    {{"day", arrow_kind::date},
                                     {"id", arrow_kind::int64},
                                     {"price", arrow_kind::float64, true},
                                     {"name", arrow_kind::text}},
                                    threads{count}, aside));
      ASSERT_EQ(got.array.length, static_cast<std::int64_t>(ids.size()));
      ASSERT_EQ(aside.size(), has_bad_rows ? 60u : 0u);
      ASSERT_EQ(expected_aside.size(), aside.size());
      if (has_bad_rows) {
        EXPECT_STREQ(aside[59].what(), expected_aside[59].what());
      }
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto row = static_cast<std::int64_t>(i);
        ASSERT_EQ(value<std::int32_t>(got.child(0), row), days[i].time_since_epoch().count());
        ASSERT_EQ(value<std::int64_t>(got.child(1), row), ids[i]);
        ASSERT_EQ(is_null(got.child(2), row), !prices[i].has_value());
        ASSERT_EQ(value<double>(got.child(2), row), prices[i].value_or(0));
        ASSERT_EQ(text(got.child(3), row), names[i]);
      }
    }
  }
}

TEST(arrow, a_bad_field_is_the_error_of_read_columns) {
  const test::temporary_file file(large_table(true));
  for (const unsigned count : {1u, 2u}) {
    const std::string said = test::message_of<headrace::input_error>([&] {
      (void)read_arrow(file.path(), csv.with_header(), {{"name", arrow_kind::text}, {"id", arrow_kind::int64}},
                       threads{count});
    });
    EXPECT_EQ(said, std::string(file.path()) + ":10:1: column 1 \"id\": expected an integer, found \"x\"");
  }
}

// ---- who frees what: AddressSanitizer counts with us ----

arrow_table table_of(std::size_t columns, int rows) {
  arrow_table table;
  for (std::size_t i = 0; i < columns; ++i) {
    headrace::text_column texts;
    for (int k = 0; k < rows; ++k) texts.push_back("text " + std::to_string(i));
    table.add("column " + std::to_string(i), std::move(texts));
  }
  return table;
}

TEST(arrow, what_is_released_is_marked) {
  imported got(table_of(3, 100));
  got.schema.release(&got.schema);
  got.array.release(&got.array);
  EXPECT_EQ(got.schema.release, nullptr);
  EXPECT_EQ(got.array.release, nullptr);
}

TEST(arrow, children_outlive_their_parent) {
  std::vector<ArrowArray> arrays;
  std::vector<ArrowSchema> schemas;
  {
    imported got(table_of(4, 100));
    for (int i : {2, 0}) {
      arrays.push_back(got.child(i));
      got.array.children[i]->release = nullptr;
      schemas.push_back(*got.schema.children[i]);
      got.schema.children[i]->release = nullptr;
    }
  }
  EXPECT_EQ(text(arrays[0], 99), "text 2");
  EXPECT_EQ(text(arrays[1], 0), "text 0");
  EXPECT_STREQ(schemas[0].name, "column 2");
  for (ArrowArray& array : arrays) array.release(&array);
  for (ArrowSchema& schema : schemas) schema.release(&schema);
  EXPECT_EQ(arrays[0].release, nullptr);
  EXPECT_EQ(schemas[0].release, nullptr);
}

TEST(arrow, a_parent_and_its_children_may_be_released_one_by_one) {
  imported got(table_of(3, 10));
  ArrowArray* const child = got.array.children[1];
  child->release(child);
  EXPECT_EQ(child->release, nullptr);
  EXPECT_EQ(text(got.child(2), 0), "text 2");
}

// The struct itself moves, to an address that the producer has not seen.
TEST(arrow, a_parent_moves) {
  ArrowArray moved{};
  {
    imported got(table_of(2, 10));
    moved = got.array;
    got.array.release = nullptr;
  }
  EXPECT_EQ(text(*moved.children[1], 9), "text 1");
  moved.release(&moved);
}

TEST(arrow, any_thread_may_release) {
  imported got(table_of(64, 1000));
  std::vector<ArrowArray> taken;
  for (int i = 0; i < 64; ++i) {
    taken.push_back(got.child(i));
    got.array.children[i]->release = nullptr;
  }
  std::vector<std::thread> threads;
  for (std::size_t first = 0; first < 4; ++first) {
    threads.emplace_back([&taken, first] {
      for (std::size_t i = first; i < taken.size(); i += 4) taken[i].release(&taken[i]);
    });
  }
  threads.emplace_back([&got] { got.array.release(&got.array); });
  threads.emplace_back([&got] { got.schema.release(&got.schema); });
  for (std::thread& each : threads) each.join();
  for (const ArrowArray& each : taken) EXPECT_EQ(each.release, nullptr);
}

TEST(arrow, what_nobody_takes_is_freed) {
  arrow_table kept = table_of(2, 10);
  kept = table_of(1, 1);
  ArrowArrayStream unread{};
  table_of(2, 10).export_to(&unread);
  unread.release(&unread);
  EXPECT_EQ(unread.release, nullptr);
}

// ---- streams ----

TEST(arrow, a_stream_gives_one_batch_and_then_the_end) {
  ArrowArrayStream stream{};
  arrow_table table = table_of(2, 3);
  table.export_to(&stream);
  EXPECT_EQ(table.columns(), 0u);
  for (int i = 0; i < 2; ++i) {
    imported before, after;
    ASSERT_EQ(stream.get_schema(&stream, &before.schema), 0);
    EXPECT_EQ(before.schema.n_children, 2);
    ASSERT_EQ(stream.get_next(&stream, &after.array), 0);
    EXPECT_EQ(after.array.release == nullptr, i == 1);
  }
  EXPECT_EQ(stream.get_last_error(&stream), nullptr);
  stream.release(&stream);
}

TEST(arrow, a_batch_outlives_its_stream) {
  ArrowArrayStream stream{};
  table_of(2, 3).export_to(&stream);
  imported got;
  ASSERT_EQ(stream.get_schema(&stream, &got.schema), 0);
  ASSERT_EQ(stream.get_next(&stream, &got.array), 0);
  stream.release(&stream);
  EXPECT_EQ(got.name(1), "column 1");
  EXPECT_EQ(text(got.child(1), 2), "text 1");
}

// ---- what Arrow cannot take ----

// By both ways out, which say the same.
void expect_refused(const char* sentence,
                    const std::vector<std::pair<std::string, std::vector<std::string>>>& columns) {
  const auto make = [&columns] {
    arrow_table table;
    for (const auto& [name, values] : columns) {
      headrace::text_column texts;
      for (const std::string& each : values) texts.push_back(each);
      table.add(name, std::move(texts));
    }
    return table;
  };
  imported got;
  arrow_table table = make();
  test::expect_output_error([&] { table.export_to(&got.schema, &got.array); }, std::errc::invalid_argument, 0,
                            sentence);
  EXPECT_EQ(got.schema.release, nullptr);
  EXPECT_EQ(got.array.release, nullptr);
  ArrowArrayStream stream{};
  make().export_to(&stream);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(stream.get_schema(&stream, &got.schema), EINVAL);
    EXPECT_STREQ(stream.get_last_error(&stream), sentence);
    EXPECT_EQ(stream.get_next(&stream, &got.array), EINVAL);
    EXPECT_STREQ(stream.get_last_error(&stream), sentence);
  }
  stream.release(&stream);
}

TEST(arrow, text_that_is_no_utf8_is_refused_with_its_place) {
  expect_refused("row 3, column \"name\": not UTF-8 from byte 4 on: \"caf\\xe9\"",
                 {{"id", {"", "", ""}}, {"name", {"a", "b", "caf\xe9"}}});
  // A character that two texts share is whole in neither.
  expect_refused("row 2, column \"t\": not UTF-8 from byte 1 on: \"\\xc3\"", {{"t", {"a", "\xc3", "\xa9"}}});
  expect_refused("row 1, column \"t\": not UTF-8 from byte 1 on: \"\\xe2\\x82\"", {{"t", {"\xe2\x82", "", "\xac"}}});
  expect_refused("row 1, column \"t\": not UTF-8 from byte 101 on: \"\\xff!\"",
                 {{"t", {std::string(100, 'x') + "\xff!"}}});
  expect_refused("the name of column 2 is not UTF-8: \"\\xff\"", {{"\xc3\xa9", {}}, {"\xff", {}}});
  expect_refused("the name of column 1 has a NUL in it: \"a\\x00b\"", {{std::string("a\0b", 3), {}}});
  expect_refused("column \"b\" has 1 rows, the first one 2", {{"a", {"x", "y"}}, {"b", {"x"}}, {"c", {"x", "\xff"}}});
}

// The texts around each malformed sequence of the Unicode standard's tables are as long as the blocks that are looked
// at, and shorter.
TEST(arrow, each_kind_of_malformed_text_is_found) {
  const std::string_view sequences[] = {
      "\x80",         "\xbf",         "\xc0\x80",     "\xc1\xbf",         "\xc3",
      "\xe0\x9f\xbf", "\xed\xa0\x80", "\xe2\x82",     "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
      "\xf5\x80",     "\xff",         "\xf0\x9f\x98", "\xc3\x28"};
  for (const std::string_view sequence : sequences) {
    for (const std::size_t before : {0u, 1u, 31u, 32u, 33u, 64u}) {
      for (const char* const after : {"", "x", "\u00e9 and thirty-two bytes and more of ASCII"}) {
        arrow_table table;
        headrace::text_column texts;
        texts.push_back("\u20ac\U0001f600 before");
        texts.push_back(std::string(before, 'a').append(sequence).append(after));
        texts.push_back("after");
        table.add("t", std::move(texts));
        const std::string start = "row 2, column \"t\": not UTF-8 from byte " + std::to_string(before + 1) + " on: ";
        EXPECT_EQ(test::message_of([&] { (void)imported(std::move(table)); }).substr(0, start.size()), start);
      }
    }
  }
}

TEST(arrow, a_refused_table_can_be_left_and_another_made) {
  arrow_table table;
  headrace::text_column texts;
  texts.push_back("\xff");
  table.add("t", std::move(texts));
  table = arrow_table();
  table.add("t", make_column<int>({1}));
  EXPECT_EQ(imported(std::move(table)).array.length, 1);
}

}  // namespace
