// headrace/columns/table_errors.hpp: how a table says what is wrong with a row. Not for users.
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

// column 2 "price": what follows.
inline message column_words(std::size_t column, const std::string_view* name) noexcept {
  return {"column ", digits_of(column + 1), name != nullptr ? " " : "", name != nullptr ? piece(quoted(*name)) : "",
          ": "};
}

// The faults that a program may pass over by the thousand: their words are found when somebody asks.
inline message words_of(const row_facts& facts, const std::string_view* column, value_kind wanted, bool is_range,
                        std::string_view token) noexcept {
  if (facts.fault == static_cast<unsigned char>(row_fault::bad_value)) {
    return {column_words(facts.column, column), "expected ", describe(wanted, is_range), ", found ",
            token.empty() ? piece("an empty field") : piece(quoted(token))};
  }
  return {facts.is_header ? "expected a header of " : "expected ", digits_of(facts.width),
          facts.width == 1 ? " field, found " : " fields, found ", digits_of(facts.fields)};
}
#if !defined(HEADRACE_SMALL)
HEADRACE_COLD inline message compose_row_words(const input_error& error) noexcept {
  const row_facts facts(error_access::facts(error));
  const std::string_view column = error_access::about(error);
  return with_place(error_access::name(error), error_access::where(error),
                    words_of(facts, facts.has_name ? &column : nullptr, error_access::expected(error),
                             error_access::is_range(error), error.token()));
}
#endif

HEADRACE_COLD inline message table::describe_fault() const noexcept {
  const std::string_view rest(fault_at_, fault_ == row_fault::after_quote ? 1 : 0);
  std::string_view name;
  const message column = column_words(fault_column_, name_of_fault(name) ? &name : nullptr);
  switch (fault_) {
    case row_fault::quote_in_field:
      return {column, "a quote inside a field that is not in quotes"};
    case row_fault::after_quote:
      return {column, "expected a separator after the closing quote, found ", quoted(rest)};
    case row_fault::unclosed_quote:
      return {column, "the quote that opens here is never closed"};
    case row_fault::stray_return:
      return {column, "a carriage return outside quotes that no newline follows"};
    case row_fault::no_header:
      return {"expected a header, found the end of input"};
    case row_fault::no_such_column:
      return {"the header has no column ", quoted(fault_name_)};
    case row_fault::column_twice:
      return {"the header has two columns named ", quoted(fault_name_)};
    default:
      return words_of(facts_of_fault(), name_of_fault(name) ? &name : nullptr, fault_wanted(), fault_is_range_,
                      fault_token_);
  }
}

inline bool table::name_of_fault(std::string_view& name) const noexcept {
  if (fault_column_ < header_.size()) name = header_[fault_column_];
  return fault_column_ < header_.size();
}

inline row_facts table::facts_of_fault() const noexcept {
  return {fault_column_, width_, fault_fields_, fault_, !header_is_read_, fault_column_ < header_.size()};
}

inline value_kind table::fault_wanted() const noexcept {
  return fault_ == row_fault::bad_value ? fault_type_->wanted : value_kind{"a row", 0, false};
}

// Counted on from where the row begins, which is where the reader stays: what a pipe gave is counted once.
inline position table::place_of_fault() noexcept {
  position where = source_.where(source_.position);
  const auto distance = static_cast<std::size_t>(fault_at_ - source_.position);
  where.offset += distance;
  where.column += distance;
  if (distance == 0 || std::memchr(source_.position, '\n', distance) == nullptr) return where;
  const newline_count lines = count_newlines(source_.position, fault_at_);
  where.column = static_cast<std::uint64_t>(fault_at_ - lines.after_last) + 1;
  where.line += where.line == 0 ? 0 : lines.count;
  return where;
}

__attribute__((noinline)) inline input_error table::make_error(status why) {
  if (why != status::malformed) return reader_access::make_error(reader_, why, {"a row", 0, false});
  const position where = place_of_fault();
  const bool is_value = fault_ == row_fault::bad_value;
  const errc code = is_value && fault_is_range_ ? errc::out_of_range : errc::malformed;
  const std::string_view token = is_value ? fault_token_ : std::string_view();
  const std::string_view name = source_.name();
#if !defined(HEADRACE_SMALL)
  std::string_view column;
  name_of_fault(column);
  if ((is_value || fault_ == row_fault::too_few || fault_ == row_fault::too_many) &&
      input_error::fits_names(name.size() + column.size())) {
    return input_error(name, column, compose_row_words, facts_of_fault().kept(), fault_wanted(), code, where, token);
  }
#endif
  return input_error(with_place(name, where, describe_fault()), code, where, token);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
