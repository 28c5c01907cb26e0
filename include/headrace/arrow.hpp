// headrace/arrow.hpp: columns for data frames and other languages, by the Arrow C data interface and C stream
// interface. Needs no library. Not part of headrace.hpp.
//
//   const auto format = headrace::csv.with_header("id", "price", "name");
//   auto columns = headrace::read_columns<std::int64_t, double, headrace::text>("trades.csv", format);
//   headrace::arrow_table table(format, std::move(columns));
//   table.export_to(&stream);                   // an ArrowArrayStream*, from whoever wants the table
//
// Source: "The Arrow C data interface" and "The Arrow C stream interface", Apache Arrow project. The structs have the
// macros by which all headers that declare them know each other (ARROW_C_DATA_INTERFACE, ARROW_C_STREAM_INTERFACE and
// ARROW_FLAG_...). A column becomes
//   integers, float, double      the same type of Arrow, not copied; int8 to int64, uint8 to uint64
//   headrace::text               large_utf8, not copied: a text_column has Arrow's layout
//   std::string, char            large_utf8
//   bool                         bool, eight in a byte
//   sys_days, year_month_day     date32
//   sys_time<seconds> and finer  timestamp of that unit, of time zone UTC; not copied where it has 64 bits
//   an optional of these         the same with nulls
// and a table a struct of these, of the same length: one batch.
//
// Memory: a table owns its columns, and hands them over. Each column is then freed by the release callback of its own
// ArrowArray, on any thread, also where the consumer has moved it out of the table's. A table that is not exported, or
// a stream that nobody reads to its end, frees what it has. Nothing is shared with the table: each can outlive the
// others.
//
// Arrow's text is UTF-8. A text or a name that is not, columns of several lengths, and a date that 32 bits of days
// cannot count or that is none, refuse the table. The first of them is told by export_to(), or by the stream:
//   row 3, column "name": not UTF-8 from byte 4 on: "caf\xe9"
// Rows count from 1, without those that were set aside, and bytes from the beginning of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "detail/message.hpp"
#include "split.hpp"
#include "time.hpp"

extern "C" {

#if !defined(ARROW_C_DATA_INTERFACE)
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

// The type of an array. It is released where `release` is null.
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

// Values.
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
#endif

#if !defined(ARROW_C_STREAM_INTERFACE)
#define ARROW_C_STREAM_INTERFACE

// Arrays of one type, one after another; the one after the last is released. The functions return 0 or an errno.
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
#endif

}  // extern "C"

namespace headrace {
inline namespace HEADRACE_ABI {

namespace detail {
struct arrow_validity;
struct arrow_stream;

// A column, what Arrow calls its type, and its own name.
struct arrow_child {
  arrow_child(const char* type, const message& its_name, bool nullable, const ArrowArray& values) noexcept
      : format(type), name(its_name), is_nullable(nullable), array(values) {}
  arrow_child(arrow_child&& other) noexcept : arrow_child(other.format, other.name, other.is_nullable, other.array) {
    other.array.release = nullptr;
  }
  arrow_child& operator=(arrow_child&&) = delete;
  ~arrow_child() {
    if (array.release != nullptr) array.release(&array);
  }

  const char* format;
  message name;
  bool is_nullable;
  ArrowArray array;
};
}  // namespace detail

// Columns on their way out. Moves, and is not copied.
class arrow_table {
 public:
  arrow_table() noexcept = default;
  arrow_table(arrow_table&& other) noexcept : arrow_table() { swap(other); }
  arrow_table& operator=(arrow_table&& other) noexcept {
    arrow_table(static_cast<arrow_table&&>(other)).swap(*this);
    return *this;
  }
  // All columns of a table, as read_columns() returns them, with the names of its format. Without names they are called
  // 1, 2 and so on.
  template <std::size_t Count, class... Column>
  arrow_table(const named_columns<Count>& format, std::tuple<Column...>&& columns);
  template <class... Column>
  arrow_table(const delimited& format, std::tuple<Column...>&& columns);

  // One column more. Throws std::bad_alloc; what Arrow cannot take is told by export_to().
  template <class T>
  void add(std::string_view name, column<T>&& values);
  void add(std::string_view name, text_column&& values);

  std::size_t columns() const noexcept { return children_.size(); }
  std::size_t rows() const noexcept;

  // Writes to structs that hold nothing, and the table is empty then. Throws output_error with errc::invalid_argument
  // for what Arrow cannot take, and std::bad_alloc: then the table is as it was, and both structs still hold nothing.
  void export_to(ArrowSchema* schema, ArrowArray* array);
  // A stream of one batch. Throws std::bad_alloc only: of what Arrow cannot take get_schema() and get_next() return
  // EINVAL, with the sentence in get_last_error(); ENOMEM where there is no memory. Its schema can be asked for again.
  void export_to(ArrowArrayStream* stream);

  void swap(arrow_table& other) noexcept;

 private:
  friend struct detail::arrow_stream;

  template <class Values>
  void add_stored(std::string_view name, const char* format, Values&& values, detail::arrow_validity&& valid);
  void check_name(std::string_view name) noexcept;
  void check_length(std::string_view name, std::size_t length) noexcept;
  void check_texts(std::string_view name, const text_column& texts) noexcept;
  void refuse(detail::message&& fault) noexcept;
  bool write(ArrowSchema* schema) const noexcept;
  bool write(ArrowArray* array) noexcept;

  column<detail::arrow_child> children_;
  detail::message fault_;
  bool is_refused_ = false;
};

// The type of a column that is chosen at run time. A date is sys_days, a timestamp sys_time<microseconds>.
enum class arrow_kind : unsigned char { boolean, int32, int64, uint64, float32, float64, text, date, timestamp };

// A nullable one is an optional of it: an empty field is a null, and else an error (empty text, where it is text).
struct arrow_field {
  std::string name;
  arrow_kind kind;
  bool is_nullable = false;
};

// Tables whose columns are known at run time only: as read_columns() reads them in one pass, on several threads, with
// the same errors, in the order of `fields`. With a header columns are found by their names; without one the fields are
// all of a row. `path` as in <headrace/split.hpp>. Throws input_error and std::bad_alloc.
template <class Path>
[[nodiscard]] arrow_table read_arrow(const Path& path, const delimited& format, const std::vector<arrow_field>& fields,
                                     threads on);
template <class Path>
[[nodiscard]] arrow_table read_arrow(const Path& path, const delimited& format, const std::vector<arrow_field>& fields,
                                     threads on, rejects& aside);

}  // namespace HEADRACE_ABI
}  // namespace headrace

#include "arrow/export.hpp"
#include "arrow/read.hpp"
