// headrace/columns/row_errors.hpp: what is wrong with a row: as it is noted, as an error says it, and as a row that is
// set aside. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string_view>
#include <vector>

#include "../columns.hpp"
#include "../detail/message.hpp"
#include "../error.hpp"
#include "row_splitter.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {

class rejected_row {
 public:
  template <class Make>  // calls it for the error, which is thus made where it stays
  rejected_row(Make make, std::uint64_t row) : error_(make()), row_(row) {}

  std::uint64_t row() const noexcept { return row_; }
  std::uint64_t line() const noexcept { return error_.line(); }
  std::uint64_t column() const noexcept { return error_.column(); }
  std::uint64_t offset() const noexcept { return error_.offset(); }
  std::string_view token() const noexcept { return error_.token(); }
  const char* what() const noexcept { return error_.what(); }
  const input_error& error() const noexcept { return error_; }

 private:
  input_error error_;
  std::uint64_t row_;
};

class rejects {
 public:
  static constexpr std::size_t no_limit = ~std::size_t(0);

  rejects() = default;
  explicit rejects(std::size_t limit) : limit_(limit) {}

  std::size_t size() const noexcept { return rows_.size(); }
  bool empty() const noexcept { return rows_.empty(); }
  auto begin() const noexcept { return rows_.begin(); }
  auto end() const noexcept { return rows_.end(); }
  const rejected_row& operator[](std::size_t i) const noexcept { return rows_[i]; }

  std::size_t limit() const noexcept { return limit_; }
  bool is_full() const noexcept { return size() >= limit_; }
  void clear() noexcept { rows_.clear(); }
  template <class Make>
  void add(Make make_error, std::uint64_t row) {
    rows_.emplace_back(make_error, row);
  }

 private:
  std::deque<rejected_row> rows_;  // in a vector that grows, most of the time would be the system's, for fresh pages
  std::size_t limit_ = no_limit;
};

namespace detail {

// Says what is wrong with a row, as an error keeps it.
struct row_facts : error_facts {
  std::uint32_t column() const noexcept { return numbers[0]; }
  std::uint32_t width() const noexcept { return numbers[1]; }         // fields that are expected
  std::uint32_t fields() const noexcept { return numbers[2]; }        // that are there
  std::uint32_t lines_quoted() const noexcept { return numbers[2]; }  // of after_quote: how far above the quote opened
  row_fault fault() const noexcept { return static_cast<row_fault>(kind); }
  bool is_header() const noexcept { return flags[0]; }
  bool has_name() const noexcept { return flags[1]; }  // the column
};

// What is wrong with a row, until its line is known.
struct row_failure {
  bool is_of(row_fault kind) const noexcept { return facts.fault() == kind; }
  bool has_wrong_width() const noexcept { return is_of(row_fault::too_few) || is_of(row_fault::too_many); }
  std::string_view token() const noexcept { return {text, size}; }
  // A part of a reader's buffer, after which 64 bytes may be read; or nothing.
  void set_token(std::string_view found) noexcept {
    size = static_cast<unsigned char>(found.size() < sizeof text ? found.size() : sizeof text);
    if (size != 0) std::memcpy(text, found.data(), sizeof text);
  }

  row_facts facts{};
  value_kind wanted{"a row", 0, false};
  std::uint64_t offset = 0;
  std::uint64_t row = 0;  // its number, where it is set aside
  bool is_range = false;
  unsigned char size = 0;  // of the token
  char text[64];           // its first bytes
};

// Rows that are set aside: a rejects' own or, while their places are not known, those that wait.
struct reject_log {
  bool is_full() const noexcept { return to != nullptr ? to->is_full() : waiting.size() >= limit; }

  bool is_on = false;
  rejects* to = nullptr;
  std::vector<row_failure> waiting;
  std::size_t limit = 0;  // of those
};

// `name` is the column's, or the one that the header lacks or has twice; `token` was found where something else was
// wanted.
HEADRACE_COLD inline message words_of(const row_facts& facts, std::string_view name, value_kind wanted, bool is_range,
                                      std::string_view token) noexcept {
  const message column{"column ", digits_of(facts.column() + 1), facts.has_name() ? " " : "",
                       facts.has_name() ? piece(quoted(name)) : "", ": "};
  switch (facts.fault()) {
    case row_fault::quote_in_field:
      return {column, "a quote inside a field that is not in quotes"};
    case row_fault::after_quote: {
      const std::uint32_t lines = facts.lines_quoted();
      const message opened{"; the quote opened ", digits_of(lines), lines == 1 ? " line above" : " lines above"};
      return {column, "expected a separator after the closing quote, found ", quoted(token),
              lines == 0 ? piece("") : piece(opened)};
    }
    case row_fault::unclosed_quote:
      return {column, "the quote that opens here is never closed"};
    case row_fault::stray_return:
      return {column, "a carriage return outside quotes that no newline follows"};
    case row_fault::bad_value:
      return {column, "expected ", describe(wanted, is_range), ", found ",
              token.empty() ? piece("an empty field") : piece(quoted(token))};
    case row_fault::no_header:
      return {"expected a header, found the end of input"};
    case row_fault::no_such_column:
      return {"the header has no column ", quoted(name)};
    case row_fault::column_twice:
      return {"the header has two columns named ", quoted(name)};
    default:
      return {facts.is_header() ? "expected a header of " : "expected ", digits_of(facts.width()),
              facts.width() == 1 ? " field, found " : " fields, found ", digits_of(facts.fields())};
  }
}

HEADRACE_COLD inline message compose_row_words(const input_error& error) noexcept {
  return with_place(error_access::name(error), error_access::where(error),
                    words_of({error_access::facts(error)}, error_access::about(error), error_access::expected(error),
                             error_access::is_range(error), error.token()));
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
