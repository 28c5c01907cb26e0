// headrace/detail/columns/table_errors.hpp: how a table says what is wrong with a row. Not for users.
#pragma once

#include "table.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

HEADRACE_COLD inline status table::fault(row_fault what, const char* at, std::size_t column) noexcept {
  fault_ = what;
  fault_at_ = at;
  fault_column_ = column;
  return status::malformed;
}

// "column 2 "price": what is wrong".
HEADRACE_COLD inline message table::describe_fault() const noexcept {
  const bool is_named = fault_column_ < header_.size();
  const message column = {"column ", digits_of(fault_column_ + 1), is_named ? " " : "",
                          is_named ? piece(quoted(header_[fault_column_])) : "", ": "};
  const std::string_view rest(fault_at_, fault_ == row_fault::after_quote ? 1 : 0);
  switch (fault_) {
    case row_fault::quote_in_field:
      return {column, "a quote inside a field that is not in quotes"};
    case row_fault::after_quote:
      return {column, "expected a separator after the closing quote, found ", quoted(rest)};
    case row_fault::unclosed_quote:
      return {column, "the quote that opens here is never closed"};
    case row_fault::stray_return:
      return {column, "a carriage return outside quotes that no newline follows"};
    case row_fault::too_few:
    case row_fault::too_many:
      return {header_is_read_ ? "expected " : "expected a header of ", digits_of(width_),
              width_ == 1 ? " field, found " : " fields, found ", digits_of(fault_fields_)};
    case row_fault::no_header:
      return {"expected a header, found the end of input"};
    case row_fault::no_such_column:
      return {"the header has no column ", quoted(fault_name_)};
    case row_fault::column_twice:
      return {"the header has two columns ", quoted(fault_name_)};
    default:
      return {column, "expected ", describe(fault_type_->wanted, fault_is_range_), ", found ",
              fault_token_.empty() ? piece("an empty field") : piece(quoted(fault_token_))};
  }
}

HEADRACE_COLD inline input_error table::make_error(status why) {
  if (why != status::malformed) return reader_.make_error(why, {"a row", 0, false});
  // Counted on from where the row begins, which is where the reader stays: what a pipe gave is counted once.
  struct position where = source_.where(source_.position);
  const newline_count lines = count_newlines(source_.position, fault_at_);
  where.offset = source_.offset_of(fault_at_);
  where.column = lines.count == 0 ? where.column + static_cast<std::uint64_t>(fault_at_ - source_.position)
                                  : static_cast<std::uint64_t>(fault_at_ - lines.after_last) + 1;
  where.line += where.line == 0 ? 0 : lines.count;
  const bool has_line = where.line != 0;  // else the file could not be read again
  const bool is_range = fault_ == row_fault::bad_value && fault_is_range_;
  return input_error(
      message{source_.name(), has_line ? ":" : ": at byte ", digits_of(has_line ? where.line : where.offset), ":",
              has_line ? piece(digits_of(where.column)) : "", has_line ? ": " : " ", describe_fault()},
      is_range ? errc::out_of_range : errc::malformed, where,
      fault_ == row_fault::bad_value ? fault_token_ : std::string_view());
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
