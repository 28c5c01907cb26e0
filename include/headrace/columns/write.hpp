// headrace/columns/write.hpp: rows to delimited text. Not for users.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "../columns.hpp"
#include "../detail/write_values.hpp"
#include "fields.hpp"
#include "rejects.hpp"
#include "row_splitter.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Where a field is in its row.
struct field_position {
  bool is_first;
  bool is_only;
};

// Whether a text that is not empty holds a byte that must be in quotes: 16 bytes at a time, of which some come twice
// where there are fewer, as none outside the text may be read.
inline bool holds_mark(const delimited& format, const char* text, std::size_t size) noexcept {
  using u8x16 = unsigned char __attribute__((vector_size(16)));
  const auto separator = static_cast<unsigned char>(format.separator);
  const auto quote = static_cast<unsigned char>(format.quote != '\0' ? format.quote : format.separator);
  u8x16 bytes, found{};
  const auto look = [&](const void* from) {
    std::memcpy(&bytes, from, 16);
    found |= static_cast<u8x16>((bytes == separator) | (bytes == quote) | (bytes == static_cast<unsigned char>('\n')) |
                                (bytes == static_cast<unsigned char>('\r')));
  };
  if (size >= 16) {
    for (std::size_t i = 0; i + 16 < size; i += 16) look(text + i);
    look(text + size - 16);
  } else {
    std::uint64_t few[2];
    if (size >= 8) {
      std::memcpy(few, text, 8);
      std::memcpy(few + 1, text + size - 8, 8);
    } else if (size >= 4) {
      std::uint32_t ends[2];
      std::memcpy(ends, text, 4);
      std::memcpy(ends + 1, text + size - 4, 4);
      few[0] = few[1] = ends[0] | std::uint64_t(ends[1]) << 32;
    } else {
      constexpr std::uint64_t pairs = 0x0001000100010001;
      const auto byte = [text](std::size_t i) { return std::uint64_t(static_cast<unsigned char>(text[i])); };
      few[0] = pairs * (byte(0) | byte(size / 2) << 8);
      few[1] = pairs * (byte(0) | byte(size - 1) << 8);
    }
    look(few);
  }
  std::uint64_t halves[2];
  std::memcpy(halves, &found, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

inline bool needs_quotes(const delimited& format, std::string_view text, field_position at) noexcept {
  if (text.empty()) return at.is_only && !format.keeps_empty_lines;
  if (format.trims && (is_padding(format, text.front()) || is_padding(format, text.back()))) return true;
  const bool is_comment = text.front() == format.comment && format.comment != '\0';
  if (at.is_first && (is_comment || text.substr(0, 3) == "\xef\xbb\xbf")) return true;
  return holds_mark(format, text.data(), text.size());
}

// Whether a byte may be part of the text of a number, or of a bool.
template <class T>
constexpr bool may_be_in(char byte) noexcept {
  if ((byte >= '0' && byte <= '9') || byte == '-') return true;
  return is_float<T> && ((byte >= 'a' && byte <= 'z') || byte == '+' || byte == '.');
}

// A number whose text may need quotes, or another point, is written like a text.
template <class T>
constexpr bool is_written_as_text(const delimited& format) noexcept {
  return (is_float<T> && format.has_decimal_comma) || may_be_in<T>(format.separator) || may_be_in<T>(format.quote) ||
         may_be_in<T>(format.comment);
}

// The point of a number that was written, as the format has it.
inline void set_point(const delimited& format, char* first, char* last) noexcept {
  if (!format.has_decimal_comma) return;
  for (; first != last; ++first) {
    if (*first == '.') *first = ',';
  }
}

// Calls `action` with the text of a number or a bool.
template <class T, class Action>
void with_number_text(const delimited& format, T value, Action action) {
  char text[max_room<T>];
  char* end = text + 1;
  if constexpr (std::is_same_v<T, bool>) {
    text[0] = value ? '1' : '0';
  } else {
    end = headrace::format(text, text + sizeof text, value).ptr;
  }
  if constexpr (is_float<T>) set_point(format, text, end);
  action(std::string_view(text, static_cast<std::size_t>(end - text)));
}

// Calls `action` with the text of a field that may need quotes; false: it is a number that needs none, or a value that
// the writer refuses.
template <class T, class Action>
HEADRACE_INLINE bool with_text(const delimited& format, const T& value, Action action) {
  if constexpr (is_text_of<T, char> && std::is_array_v<T>) {  // a literal, or one that need not have a NUL
    const bool ends = likely(value[sizeof value - 1] == '\0');
    action(ends ? std::string_view(value) : std::string_view(value, text_length(value)));
  } else if constexpr (is_text_of<T, char>) {
    action(std::string_view(value));
  } else if constexpr (std::is_same_v<T, char>) {
    action(std::string_view(&value, 1));
  } else if constexpr (is_integer<T> || is_float<T> || std::is_same_v<T, bool>) {
    if (likely(!is_written_as_text<T>(format))) return false;
    with_number_text(format, value, action);
  } else if constexpr (has_io_format<T>) {
    return with_formatted(value, action);
  } else {  // what io<T> writes
    std::string text;
    writer to = writer::into(text);
    to << value;
    to.flush();
    if constexpr (is_styled<T>) set_point(format, &text[0], &text[0] + text.size());
    action(std::string_view(text));
  }
  return true;
}

HEADRACE_COLD inline void refuse_field(const writer& to) {
  raise_output_error(
      message{std::string_view(to.name()), ": cannot write a field that needs quotes: the format has none"},
      std::errc::invalid_argument, to.arrived());
}

inline void write_text(writer& to, const delimited& format, std::string_view text, bool in_quotes) {
  if (likely(!in_quotes)) {
    to << text;
    return;
  }
  constexpr std::size_t few = 120;
  if (text.size() <= few) {  // to look at each byte costs less than a search for each quote
    char quoted[2 * few + 2];
    char* next = quoted;
    *next++ = format.quote;
    for (const char byte : text) {
      *next++ = byte;
      *next = format.quote;
      next += byte == format.quote;
    }
    *next++ = format.quote;
    to << std::string_view(quoted, static_cast<std::size_t>(next - quoted));
    return;
  }
  to << format.quote;
  while (!text.empty()) {
    const std::size_t quote = text.find(format.quote);
    if (quote == std::string_view::npos) break;
    to << text.substr(0, quote + 1) << format.quote;
    text.remove_prefix(quote + 1);
  }
  to << text << format.quote;
}

template <class T>
HEADRACE_INLINE void write_field(writer& to, const delimited& format, const T& value, field_position at) {
  if constexpr (std::is_same_v<T, skip>) {
    write_text(to, format, {}, at.is_only && !format.keeps_empty_lines);
  } else if constexpr (is_optional<T>) {
    if (!value.has_value()) {
      write_text(to, format, {}, at.is_only && !format.keeps_empty_lines);
    } else if constexpr (is_text_of<typename T::value_type, char>) {  // an empty text is not none
      const std::string_view text = *value;
      write_text(to, format, text, (text.empty() && format.quote != '\0') || needs_quotes(format, text, at));
    } else {
      write_field(to, format, *value, at);
    }
  } else {
    const auto write = [&](std::string_view text) { write_text(to, format, text, needs_quotes(format, text, at)); };
    if (!with_text(format, value, write)) to << value;
  }
}

template <class T>
void check_field(const writer& to, const delimited& format, const T& value, field_position at) {
  const auto check = [&](std::string_view text) {
    if (needs_quotes(format, text, at)) refuse_field(to);
  };
  if constexpr (std::is_same_v<T, skip>) {
    check({});
  } else if constexpr (is_optional<T>) {
    if (value.has_value()) return check_field(to, format, *value, at);
    check({});
  } else {
    (void)with_text(format, value, check);
  }
}

// A row with a null pointer in the place of a text is not written at all.
template <class T>
void refuse_null([[maybe_unused]] const writer& to, [[maybe_unused]] const T& value) {
  if constexpr (std::is_pointer_v<T>) {
    if (value == nullptr) raise_output_error(to.name(), "write a null pointer as text", EINVAL, to.arrived());
  } else if constexpr (is_optional<T>) {
    if (value.has_value()) refuse_null(to, *value);
  }
}

// Calls `action` with a writer, or with one to a path, which is closed.
template <class Sink, class Action>
void with_writer(Sink& to, Action action) {
  if constexpr (std::is_base_of_v<writer, Sink>) {
    action(to);
  } else {
    writer file(to);
    action(file);
    file.close();
  }
}

// A row of `count` fields of one type, of which field(i) is the i-th.
template <class Field>
void write_fields(writer& to, const delimited& format, std::size_t count, Field field) {
  const bool is_only = count == 1;
  if (format.quote == '\0') {
    for (std::size_t i = 0; i < count; ++i) check_field(to, format, field(i), {i == 0, is_only});
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) to << format.separator;
    write_field(to, format, field(i), {i == 0, is_only});
  }
  to << '\n';
}

template <std::size_t Count>
void write_header(writer& to, const named_columns<Count>& format) {
  write_fields(to, format.format(), Count, [&format](std::size_t i) { return format.names()[i]; });
}

inline void write_header(writer& to, const delimited& format, std::size_t columns) {
  if (format.has_header) write_fields(to, format, columns, [](std::size_t i) { return i + 1; });
}

// Before a file is opened: what it holds stays.
template <class Sink>
[[noreturn]] HEADRACE_COLD void refuse_table(const Sink& to, const char* fault) {
  std::string name = "a table";
  std::uint64_t arrived = 0;
  if constexpr (std::is_base_of_v<writer, Sink>) {
    name = to.name();
    arrived = to.arrived();
  } else if constexpr (std::is_convertible_v<const Sink&, const char*>) {
    if (const char* const path = to; path != nullptr) name = path;
  } else if constexpr (std::is_convertible_v<const Sink&, std::string>) {
    name = to;
  }
  raise_output_error(message{std::string_view(name), ": cannot write ", fault}, std::errc::invalid_argument, arrived);
}

template <class Sink>
[[noreturn]] HEADRACE_COLD void refuse_format(const Sink& to, const char* fault) {
  const message text{"rows: ", fault};
  refuse_table(to, text.c_str());
}
inline const delimited& format_of(const delimited& format) noexcept { return format; }
template <std::size_t Count>
const delimited& format_of(const named_columns<Count>& format) noexcept {
  return format.format();
}

template <class Sink>
HEADRACE_INLINE void check_format(const Sink& to, const delimited& format) {
  const char* const fault = fault_of(format);
  if (unlikely(fault != nullptr)) refuse_format(to, fault);
}

}  // namespace detail

template <class Format, class... T>
writer& writer::write_row(const Format& format, const T&... fields) {
  static_assert(std::is_same_v<Format, delimited>,
                "a row is written in a headrace::delimited, which has no header: write_row(headrace::csv, 1, 2.5)");
  static_assert(sizeof...(T) != 0, "a row has at least one field");
  constexpr bool is_only = sizeof...(T) == 1;
  detail::check_format(*this, format);
  (detail::refuse_null(*this, fields), ...);
  if (format.quote == '\0') {
    bool is_first = true;
    ((detail::check_field(*this, format, fields, {is_first, is_only}), is_first = false), ...);
  }
  bool is_first = true;
  ((is_first ? void() : void(*this << format.separator),
    detail::write_field(*this, format, fields, {is_first, is_only}), is_first = false),
   ...);
  return *this << '\n';
}

template <class Sink, class Format, class... Column>
void write_columns(Sink&& to, const Format& format, const Column&... columns) {
  static_assert(sizeof...(Column) != 0, "a table has at least one column");
  const std::size_t sizes[] = {static_cast<std::size_t>(std::size(columns))...};
  for (const std::size_t size : sizes) {
    if (size != sizes[0]) detail::refuse_table(to, "columns of different lengths as one table");
  }
  decltype(auto) as = detail::checked_format(format);
  detail::check_format(to, detail::format_of(as));
  detail::with_writer(to, [&](writer& file) {
    if constexpr (std::is_same_v<decltype(as), const delimited&>) {
      detail::write_header(file, as, sizeof...(Column));
      for (std::size_t i = 0; i < sizes[0]; ++i) file.write_row(as, columns[i]...);
    } else {
      const detail::table_format<sizeof...(Column)> named(as);
      detail::write_header(file, as);
      for (std::size_t i = 0; i < sizes[0]; ++i) file.write_row(named.format, columns[i]...);
    }
  });
}

template <class Sink>
void write_rejects(Sink&& to, const rejects& rows) {
  detail::with_writer(to, [&](writer& file) {
    file.write_row(csv, "row", "line", "column", "token", "message");
    for (const rejected_row& each : rows) {
      file.write_row(csv, each.row(), each.line(), each.column(), each.token(), std::string_view(each.what()));
    }
  });
}

template <class Sink, class T>
void write_matrix(Sink&& to, const delimited& format, const matrix<T>& values) {
  detail::check_format(to, format);
  detail::with_writer(to, [&](writer& file) {
    const std::size_t columns = values.columns();
    detail::write_header(file, format, columns);
    for (std::size_t row = 0; row < values.rows(); ++row) {
      detail::write_fields(file, format, columns, [&values, row](std::size_t i) { return values(row, i); });
    }
  });
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
