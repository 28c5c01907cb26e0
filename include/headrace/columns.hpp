// headrace/columns.hpp: delimited text (CSV, TSV and their kin) as checked rows, typed columns or a matrix; and whole
// files of numbers. Not part of headrace.hpp.
//
//   struct trade { std::string_view symbol; double price; std::uint32_t volume; };
//   headrace::reader file("trades.csv");
//   for (const trade& t : file.rows<trade>(headrace::csv)) ...
//   for (auto& [symbol, price] : file.rows<std::string_view, double>(headrace::csv.with_header("symbol", "price"))) ...
//   auto [ids, prices] = headrace::read_columns<int, double>("trades.csv", headrace::csv.with_header("id", "price"));
//   auto grid = headrace::read_matrix<double>("grid.csv", headrace::csv);     // grid(row, column)
//   auto all = headrace::read_all<double>("numbers.txt");                     // what blanks separate
//   headrace::out.write_row(headrace::csv, "a, b", 0.5, 7);                   // "a, b",0.5,7
//
// A field is a number (the whole field, as elsewhere in headrace), a bool (0 or 1), a char (one byte), text, an
// optional (anything with value_type, has_value() and reset(): an empty field makes it empty), or headrace::skip, which
// ignores the field. A string_view is valid until the next row is asked for. A number in quotes is a number.
//
// Each row has as many fields as were asked for, or, with names, as the header has. Anything wrong is an input_error
// that names the place and the column:
//   trades.csv:17:8: column 2 "price": expected a number, found "n/a"
// and the reader stays before that row: skip_row() passes over it, and parse_row() does not throw. docs/contract.md
// lists what is accepted. Memory: about 300 KiB beside the reader's own, and more only for a row that is itself longer
// than 16 KiB.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "column.hpp"
#include "reader.hpp"
#include "writer.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

template <std::size_t Count>
class named_columns;

// How rows are written in a text. A value: each function below returns a changed copy. One whose bytes contradict each
// other is refused by whatever reads or writes with it: an input_error or output_error, errc::invalid_argument.
struct delimited {
  constexpr explicit delimited(char between) noexcept : separator(between) {}

  // Another byte around fields than ", or none: then a field is all between two separators.
  constexpr delimited with_quote(char byte) const noexcept { return with(&delimited::quote, byte); }
  constexpr delimited without_quotes() const noexcept { return with(&delimited::quote, '\0'); }
  // Lines that begin with this byte are passed over: any byte but a newline, a carriage return, the separator and the
  // quote.
  constexpr delimited with_comments(char prefix) const noexcept { return with(&delimited::comment, prefix); }
  // Spaces and tabs around fields, and around their quotes, are not part of them.
  constexpr delimited trimmed() const noexcept { return with(&delimited::trims); }
  // An empty line is a row with one empty field. Without this it is passed over.
  constexpr delimited with_empty_lines() const noexcept { return with(&delimited::keeps_empty_lines); }
  // 3,14 is a number and 3.14 is none.
  constexpr delimited with_decimal_comma() const noexcept { return with(&delimited::has_decimal_comma); }

  // Rows need not have as many fields as the first one: for reader::records() only. Others refuse such a format.
  constexpr delimited with_ragged_rows() const noexcept { return with(&delimited::is_ragged); }

  // The first row names the columns. Without names it is passed over, and fields are found by their position. With
  // names, one for each field that is asked for, they are found in the header, in any order: other columns are not
  // converted. What is given names refers to their text, which rows() and read_columns() copy. Call it last.
  constexpr delimited with_header() const noexcept { return with(&delimited::has_header); }
  template <class... Name>
  constexpr auto with_header(const Name&... names) const noexcept {
    constexpr bool are_texts = (std::is_constructible_v<std::string_view, const Name&> && ...);
    static_assert(are_texts,
                  "with_header() takes the names of the columns, a text each: with_header(\"id\", \"price\")");
    if constexpr (are_texts) {
      return named_columns<sizeof...(Name)>(with_header(), {std::string_view(names)...});
    } else {
      return with_header();
    }
  }

  char separator;  // any byte but a newline, a carriage return and the quote
  char quote = '"';
  char comment = '\0';
  bool trims = false;
  bool keeps_empty_lines = false;
  bool has_decimal_comma = false;
  bool has_header = false;
  bool is_ragged = false;

 private:
  constexpr delimited with(char delimited::* byte, char value) const noexcept {
    delimited copy = *this;
    copy.*byte = value;
    return copy;
  }
  constexpr delimited with(bool delimited::* option) const noexcept {
    delimited copy = *this;
    copy.*option = true;
    return copy;
  }
};

// RFC 4180, with \n or \r\n after a row. tsv has no quotes (text/tab-separated-values); with them: delimited{'\t'}.
inline constexpr delimited csv{','};
inline constexpr delimited tsv = delimited('\t').without_quotes();

// A format with names, as delimited::with_header() returns it.
template <std::size_t Count>
class named_columns {
 public:
  constexpr named_columns(delimited format, const std::string_view (&names)[Count]) noexcept : format_(format) {
    for (std::size_t i = 0; i < Count; ++i) names_[i] = names[i];
  }
  constexpr const delimited& format() const noexcept { return format_; }
  constexpr const std::string_view* names() const noexcept { return names_; }

 private:
  delimited format_;
  std::string_view names_[Count];
};

// A field that is not looked at.
struct skip {};

// A column of text for read_columns<headrace::text, double>(...), which returns a text_column for it: a field of a row
// is a std::string or a std::string_view.
struct text {};

// A table of equal values, row after row in one block.
template <class T>
class matrix {
 public:
  matrix() noexcept = default;
  matrix(column<T>&& values, std::size_t columns) noexcept
      : values_(static_cast<column<T>&&>(values)), columns_(columns) {}

  std::size_t rows() const noexcept { return columns_ == 0 ? 0 : values_.size() / columns_; }
  std::size_t columns() const noexcept { return columns_; }
  T& operator()(std::size_t row, std::size_t in_row) noexcept { return values_[row * columns_ + in_row]; }
  const T& operator()(std::size_t row, std::size_t in_row) const noexcept { return values_[row * columns_ + in_row]; }
  // The first value of a row, which columns() - 1 others follow.
  T* operator[](std::size_t row) noexcept { return values_.data() + row * columns_; }
  const T* operator[](std::size_t row) const noexcept { return values_.data() + row * columns_; }
  column<T>& values() noexcept { return values_; }
  const column<T>& values() const noexcept { return values_; }

 private:
  column<T> values_;
  std::size_t columns_ = 0;
};

// Rows of a reader, for a for loop and one by one: what reader::rows<T...>(format) returns. T... is the types of the
// fields, and a row a std::tuple of them; or one aggregate of up to 24 members. The reader must outlive it, may be used
// between rows, and is after the last row that was taken.
//   bool try_read_row(value_type& row);         // false at the end of input; throws input_error
//   read_result parse_row(value_type& row);     // never throws, except std::bad_alloc
//   bool skip_row();                            // passes over a row, whatever is in it; false at the end of input
// Each of them reads the header first, where there is one; a header that was refused is a row for the next skip_row().
// After an error the row that was asked for holds what it held before, and the reader is before the bad one. A row that
// is malformed ends, for skip_row(), with the line where it becomes so; after an unclosed quote with that quote's line.
template <class... T>
class row_sequence;

// A row of a width that is known at run time. A reader's records(format) is a sequence of them, for a for loop; a
// record and its texts are valid until the next one is asked for.
//   r.size();  r.line();                        // fields, and the line where it begins
//   r[i];  r["name"];                           // a std::string_view, without the quotes around it; i < r.size()
//   r.get<T>(i);  r.get<T>("name");             // any type of field; throws input_error
// All rows have as many fields as the first one; with format.with_ragged_rows() as many as they like, and to ask one
// for a field that it does not have is an input_error. The sequence has
//   header();                                   // the names of the columns, a const std::vector<std::string>&
//   column("name");                             // the number of one, found once; throws input_error
//   skip_row();                                 // as above
// A name is looked for in a header, with format.with_header(); numbers cost less.
class record;
class record_sequence;

// Rows that cannot be read, when it is the last argument of rows(), records(), read_columns(), read_matrix() and
// for_each_row(): each of them is noted here and passed over as skip_row() does, in the order of the file, and the
// others arrive, the same for any number of threads. A container of what is wrong with each:
//   row();                                      // its number, from 1: of rows, bad ones included, without the header
//   line();  column();  offset();               // where it is wrong, as in an input_error
//   token();  what();  error();                 // and what is: what() as it would be thrown
// A header that is refused, and what the system reports, is thrown still. With a limit, rejects(1000), reading ends
// after the row that makes it full as at the end of input; is_full() says so, and while it is full nothing more is read
// with it.
class rejected_row;
class rejects;

// Each of them as a row of CSV, with a header: row, line, column, token and message. `to` is a path or a writer, and a
// file is replaced. Throws output_error.
template <class Sink>
void write_rejects(Sink&& to, const rejects& rows);

// Whole tables: a column for each type that is no skip, and a text_column for headrace::text, in a quarter of the time
// of a column<std::string>. `from` is a path or a reader, `format` a delimited or what its with_header() gives. Throws
// input_error, and std::bad_alloc.
template <class... T, class Source, class Format>
[[nodiscard]] auto read_columns(Source&& from, const Format& format);
template <class... T, class Source, class Format>
[[nodiscard]] auto read_columns(Source&& from, const Format& format, rejects& aside);

// All rows of one type, an integer of at least 32 bits, floating point or one with io<T>::parse(), and as long as the
// first one. With a header the first row is passed over.
template <class T, class Source>
[[nodiscard]] matrix<T> read_matrix(Source&& from, const delimited& format);
template <class T, class Source>
[[nodiscard]] matrix<T> read_matrix(Source&& from, const delimited& format, rejects& aside);

// Write each row of columns, ranges of one length with [], or of a matrix as writer::write_row(format, fields...)
// does; `to` is a path or a writer, and a file is replaced. Names become a header; with_header() without names
// numbers the columns. A text gets quotes where it holds a separator, a quote, \n or \r, or would be trimmed or taken
// for a comment, a byte order mark or an empty line. Throws output_error: also for a text that needs quotes which the
// format does not have, and for columns of several lengths; then nothing of that row or table is written. What is
// written reads back the same, except optional text: an empty optional alone in its row becomes empty text, and in a
// format without quotes empty text becomes an empty optional.
template <class Sink, class Format, class... Column>
void write_columns(Sink&& to, const Format& format, const Column&... columns);
template <class Sink, class T>
void write_matrix(Sink&& to, const delimited& format, const matrix<T>& values);

// All values between blanks up to the end of a file or of a reader. Throws input_error on anything but a T, and
// std::bad_alloc; the reader is then before the token that is not a T, and what was read is gone.
template <class T, class Source>
[[nodiscard]] column<T> read_all(Source&& from);

}  // namespace HEADRACE_ABI
}  // namespace headrace

#include "columns/records.hpp"
#include "columns/write.hpp"
