// headrace/columns/row_errors.hpp: what is wrong with a row: as it is noted, as an error says it, and as a row that is
// set aside. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../columns.hpp"
#include "../detail/message.hpp"
#include "../error.hpp"
#include "row_splitter.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// What is wrong with a row, until its line is known.
struct row_failure {
  bool has_wrong_width() const noexcept { return fault == row_fault::too_few || fault == row_fault::too_many; }
  std::string_view token() const noexcept { return {text, size}; }
  std::string_view bad_value() const noexcept { return fault == row_fault::bad_value ? token() : std::string_view(); }
  // A part of a reader's buffer, after which 64 bytes may be read; or nothing.
  void set_token(std::string_view found) noexcept {
    size = static_cast<unsigned char>(found.size() < sizeof text ? found.size() : sizeof text);
    if (size != 0) std::memcpy(text, found.data(), sizeof text);
  }

  row_fault fault = row_fault::none;
  bool is_header = false;
  bool has_name = false;  // the column
  bool is_range = false;
  unsigned char size = 0;  // of the token
  std::uint32_t column = 0;
  std::uint32_t width = 0;         // fields that are expected,
  std::uint32_t fields = 0;        // and that are there
  std::uint32_t lines_quoted = 0;  // after_quote: how far above the quote opened
  value_kind wanted{"a row", 0, false};
  std::uint64_t offset = 0;
  std::uint64_t row = 0;  // its number in the part of the file that was read
  char text[64];          // the first bytes of the token
};

// `name` is the column's, or the one that the header lacks or has twice.
HEADRACE_COLD inline message words_of(const row_failure& failure, std::string_view name) noexcept {
  const message column{"column ", digits_of(failure.column + 1), failure.has_name ? " " : "",
                       failure.has_name ? piece(quoted(name)) : "", ": "};
  const std::string_view token = failure.token();
  switch (failure.fault) {
    case row_fault::quote_in_field:
      return {column, "a quote inside a field that is not in quotes"};
    case row_fault::after_quote: {
      const std::uint32_t lines = failure.lines_quoted;
      const message opened{"; the quote opened ", digits_of(lines), lines == 1 ? " line above" : " lines above"};
      return {column, "expected a separator after the closing quote, found ", quoted(token),
              lines == 0 ? piece("") : piece(opened)};
    }
    case row_fault::unclosed_quote:
      return {column, "the quote that opens here is never closed"};
    case row_fault::stray_return:
      return {column, "a carriage return outside quotes that no newline follows"};
    case row_fault::bad_value:
      return {column, "expected ", describe(failure.wanted, failure.is_range), ", found ",
              token.empty() ? piece("an empty field") : piece(quoted(token))};
    case row_fault::no_header:
      return {"expected a header, found the end of input"};
    case row_fault::no_such_column:
      return {"the header has no column ", quoted(name)};
    case row_fault::column_twice:
      return {"the header has two columns named ", quoted(name)};
    default:
      return {failure.is_header ? "expected a header of " : "expected ", digits_of(failure.width),
              failure.width == 1 ? " field, found " : " fields, found ", digits_of(failure.fields)};
  }
}

inline errc code_of(const row_failure& failure) noexcept {
  return failure.is_range ? errc::out_of_range : errc::malformed;
}

// Those of a table, which all rows of it that are set aside share.
struct table_names {
  std::string_view column_of(const row_failure& failure) const noexcept {
    return failure.has_name ? std::string_view(header[failure.column]) : std::string_view();
  }

  std::string source;
  std::vector<std::string> header;
};

}  // namespace detail

// Its words are found when somebody asks: a program may set rows aside by the thousand.
class rejected_row {
 public:
  rejected_row(const detail::row_failure& failure, std::uint64_t row, const position& where,
               const std::shared_ptr<const detail::table_names>& names)
      : failure_(failure), where_(where), names_(names) {
    failure_.row = row;
  }

  std::uint64_t row() const noexcept { return failure_.row; }
  std::uint64_t line() const noexcept { return where_.line; }
  std::uint64_t column() const noexcept { return where_.column; }
  std::uint64_t offset() const noexcept { return where_.offset; }
  std::string_view token() const noexcept { return failure_.bad_value(); }
  const char* what() const noexcept {
    if (!text_.is_complete()) {
      text_.fill(with_place(names_->source, where_, words_of(failure_, names_->column_of(failure_))));
    }
    return text_.c_str();
  }
  input_error error() const { return {what(), code_of(failure_), where_, token()}; }

 private:
  detail::row_failure failure_;
  position where_;
  std::shared_ptr<const detail::table_names> names_;
  mutable detail::message text_;
};

class rejects {
 public:
  using value_type = rejected_row;
  using const_iterator = std::deque<rejected_row>::const_iterator;
  static constexpr std::size_t no_limit = ~std::size_t(0);

  rejects() = default;
  explicit rejects(std::size_t limit) : limit_(limit) {}

  std::size_t size() const noexcept { return rows_.size(); }
  bool empty() const noexcept { return rows_.empty(); }
  const_iterator begin() const noexcept { return rows_.begin(); }
  const_iterator end() const noexcept { return rows_.end(); }
  const rejected_row& operator[](std::size_t i) const noexcept { return rows_[i]; }

  std::size_t limit() const noexcept { return limit_; }
  bool is_full() const noexcept { return size() >= limit_; }
  void clear() noexcept { rows_.clear(); }
  void add(const detail::row_failure& failure, std::uint64_t row, const position& where,
           const std::shared_ptr<const detail::table_names>& names) {
    rows_.emplace_back(failure, row, where, names);
  }

 private:
  std::deque<rejected_row> rows_;  // in a vector that grows, most of the time would be the system's, for fresh pages
  std::size_t limit_ = no_limit;
};

namespace detail {

// Rows that are set aside: a rejects' own or, while their places are not known, those that wait.
struct reject_log {
  bool is_full() const noexcept { return to != nullptr ? to->is_full() : waiting.size() >= limit; }

  bool is_on = false;
  rejects* to = nullptr;
  std::vector<row_failure> waiting;
  std::size_t limit = 0;  // of those
};

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
