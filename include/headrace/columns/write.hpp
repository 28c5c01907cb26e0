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
#include "row_errors.hpp"
#include "row_splitter.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Where a field is in its row.
struct field_position {
  bool is_first;
  bool is_only;
};

// What is in a text that makes a difference.
struct text_marks {
  bool any;     // a byte that must be in quotes
  bool quotes;  // that come twice then
};

// Looks at a text that is not empty, 16 bytes at a time, of which some come twice where there are fewer, as none
// outside the text may be read; and copies it on the way.
template <bool IsCopied>
text_marks look_at(const delimited& format, const char* text, std::size_t size, [[maybe_unused]] char* to) noexcept {
  using u8x16 = unsigned char __attribute__((vector_size(16)));
  const auto separator = static_cast<unsigned char>(format.separator);
  const auto quote = static_cast<unsigned char>(format.quote != '\0' ? format.quote : format.separator);
  u8x16 bytes, any{}, quotes{};
  const auto look = [&](const void* from) {
    std::memcpy(&bytes, from, 16);
    quotes |= static_cast<u8x16>(bytes == quote);
    any |= static_cast<u8x16>((bytes == separator) | (bytes == static_cast<unsigned char>('\n')) |
                              (bytes == static_cast<unsigned char>('\r')));
  };
  const auto copy = [&](std::size_t at, const void* from, std::size_t count) {
    if constexpr (IsCopied) std::memcpy(to + at, from, count);
  };
  if (size >= 16) {
    for (std::size_t i = 0; i + 16 < size; i += 16) {
      look(text + i);
      copy(i, &bytes, 16);
    }
    look(text + size - 16);
    copy(size - 16, &bytes, 16);
  } else {
    std::uint64_t few[2];
    if (size >= 8) {
      std::memcpy(few, text, 8);
      std::memcpy(few + 1, text + size - 8, 8);
      copy(0, few, 8);
      copy(size - 8, few + 1, 8);
    } else if (size >= 4) {
      std::uint32_t ends[2];
      std::memcpy(ends, text, 4);
      std::memcpy(ends + 1, text + size - 4, 4);
      copy(0, ends, 4);
      copy(size - 4, ends + 1, 4);
      few[0] = few[1] = ends[0] | std::uint64_t(ends[1]) << 32;
    } else {
      constexpr std::uint64_t pairs = 0x0001000100010001;
      const char bytes_of[] = {text[0], text[size / 2], text[size - 1]};
      copy(0, bytes_of, 1);
      copy(size / 2, bytes_of + 1, 1);
      copy(size - 1, bytes_of + 2, 1);
      const auto byte = [&bytes_of](int i) { return std::uint64_t(static_cast<unsigned char>(bytes_of[i])); };
      few[0] = pairs * (byte(0) | byte(1) << 8);
      few[1] = pairs * (byte(0) | byte(2) << 8);
    }
    look(few);
  }
  const auto is_found = [](u8x16 found) {
    std::uint64_t halves[2];
    std::memcpy(halves, &found, sizeof halves);
    return (halves[0] | halves[1]) != 0;
  };
  any |= quotes;
  if (likely(!is_found(any))) return {false, false};
  return {true, is_found(quotes)};
}

// Whether a text that is not empty would be taken for a comment or a byte order mark, or be trimmed.
HEADRACE_INLINE bool is_taken_for_other(const delimited& format, std::string_view text, field_position at) noexcept {
  if (format.trims && (is_padding(format, text.front()) || is_padding(format, text.back()))) return true;
  if (!at.is_first) return false;
  return (text.front() == format.comment && format.comment != '\0') || text.substr(0, 3) == "\xef\xbb\xbf";
}

inline bool needs_quotes(const delimited& format, std::string_view text, field_position at) noexcept {
  if (text.empty()) return at.is_only && !format.keeps_empty_lines;
  return is_taken_for_other(format, text, at) || look_at<false>(format, text.data(), text.size(), nullptr).any;
}

// ---- a field where there is room for it ----

// How long a text is in quotes, at most; of one that no buffer holds, more than any buffer has.
constexpr std::size_t quoted_size(std::size_t size) noexcept {
  constexpr std::size_t too_many = std::size_t(1) << 20;
  return 2 * (size < too_many ? size : too_many) + 2;
}

inline char* put_in_quotes(char* to, const delimited& format, std::string_view text, bool has_quotes) noexcept {
  *to++ = format.quote;
  if (!has_quotes) {
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
    to += text.size();
  } else {
    for (const char byte : text) {
      *to++ = byte;
      *to = format.quote;
      to += byte == format.quote;
    }
  }
  *to++ = format.quote;
  return to;
}

// Room: quoted_size(). Returns nullptr where it needs quotes that the format does not have.
HEADRACE_INLINE char* put_text(char* to, const delimited& format, std::string_view text, field_position at) noexcept {
  text_marks marks{false, false};
  if (unlikely(text.empty())) {
    if (likely(!at.is_only || format.keeps_empty_lines)) return to;
  } else {
    marks = look_at<true>(format, text.data(), text.size(), to);
    if (likely(!marks.any && !is_taken_for_other(format, text, at))) return to + text.size();
  }
  return format.quote == '\0' ? nullptr : put_in_quotes(to, format, text, marks.quotes);
}

// Whether a byte may be part of the text of a number, or of a bool.
template <class T>
constexpr bool may_be_in(char byte) noexcept {
  if ((byte >= '0' && byte <= '9') || byte == '-') return true;
  return is_float<T> && ((byte >= 'a' && byte <= 'z') || byte == '+' || byte == '.');
}

template <class T>
constexpr bool is_number_field = is_integer<T> || is_float<T> || std::is_same_v<T, bool>;

// A number whose text may need quotes, or another point, is written like a text.
template <class T>
constexpr bool is_written_as_text(const delimited& format) noexcept {
  return is_number_field<T> && ((is_float<T> && format.has_decimal_comma) || may_be_in<T>(format.separator) ||
                                may_be_in<T>(format.quote) || may_be_in<T>(format.comment));
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
  if constexpr (std::is_same_v<T, skip>) {
    action(std::string_view());
  } else if constexpr (is_optional<T>) {
    if (value.has_value()) return with_text(format, *value, action);
    action(std::string_view());
  } else if constexpr (is_text_of<T, char> && std::is_array_v<T>) {  // a literal, or one that need not have a NUL
    const bool ends = likely(value[sizeof value - 1] == '\0');
    action(ends ? std::string_view(value) : std::string_view(value, text_length(value)));
  } else if constexpr (is_text_of<T, char>) {
    action(std::string_view(value));
  } else if constexpr (std::is_same_v<T, char>) {
    action(std::string_view(&value, 1));
  } else if constexpr (is_number_field<T>) {
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

// A text of any size.
inline void write_long_text(writer& to, const delimited& format, std::string_view text, bool in_quotes) {
  if (likely(!in_quotes)) {
    to << text;
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

// A text of a format that has the quotes which it needs.
HEADRACE_INLINE void write_text(writer& to, const delimited& format, std::string_view text, field_position at) {
  char* const next = writer_access::next(to);
  if (likely(next != nullptr && quoted_size(text.size()) <= writer_access::slack)) {
    writer_access::set_next(to, put_text(next, format, text, at));
  } else {
    write_long_text(to, format, text, needs_quotes(format, text, at));
  }
}

// An optional text that is empty is not none.
template <class T>
HEADRACE_INLINE bool is_empty_text([[maybe_unused]] const T& value) noexcept {
  if constexpr (is_text_of<T, char>) return std::string_view(value).empty();
  return false;
}

template <class T>
HEADRACE_INLINE void write_field(writer& to, const delimited& format, const T& value, field_position at) {
  if constexpr (std::is_same_v<T, skip>) {
    write_text(to, format, {}, at);
  } else if constexpr (is_optional<T>) {
    if (!value.has_value()) return write_text(to, format, {}, at);
    if (!is_empty_text(*value) || format.quote == '\0') return write_field(to, format, *value, at);
    to << format.quote << format.quote;
  } else {
    const auto write = [&](std::string_view text) { write_text(to, format, text, at); };
    if (!with_text(format, value, write)) to << value;
  }
}

template <class T>
void check_field(const writer& to, const delimited& format, const T& value, field_position at) {
  (void)with_text(format, value, [&](std::string_view text) {
    if (needs_quotes(format, text, at)) refuse_field(to);
  });
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

// Takes the fields of a row one by one: all of them to check(), in a format without quotes, and then to write().
struct row_writer {
  template <class T>
  HEADRACE_INLINE void check(const T& field) {
    check_field(to, format, field, {is_first, is_only});
    is_first = false;
  }
  template <class T>
  HEADRACE_INLINE void write(const T& field) {
    if (!is_first) to << format.separator;
    write_field(to, format, field, {is_first, is_only});
    is_first = false;
  }

  writer& to;
  const delimited& format;
  bool is_only;
  bool is_first = true;
};

// A row of `count` fields of one type, of which field(i) is the i-th.
template <class Field>
void write_fields(writer& to, const delimited& format, std::size_t count, Field field) {
  row_writer checked{to, format, count == 1}, row = checked;
  for (std::size_t i = 0; i < count && format.quote == '\0'; ++i) checked.check(field(i));
  for (std::size_t i = 0; i < count; ++i) row.write(field(i));
  to << '\n';
}

// Names that a format has, or numbers if it has a header without names.
inline void write_header(writer& to, const delimited& format, std::size_t columns, const std::string_view* names) {
  if (names != nullptr) {
    write_fields(to, format, columns, [names](std::size_t i) { return names[i]; });
  } else if (format.has_header) {
    write_fields(to, format, columns, [](std::size_t i) { return i + 1; });
  }
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

template <class Sink>
HEADRACE_INLINE void check_format(const Sink& to, const delimited& format) {
  const char* const fault = fault_of(format);
  if (unlikely(fault != nullptr)) refuse_format(to, fault);
}

// ---- columns, in blocks of rows ----

// A field that put_field() puts where there is room for it. Others are left to write_row().
template <class T>
constexpr bool is_text_field = is_text_of<T, char> && !std::is_pointer_v<T> && !std::is_array_v<T>;
template <class T>
constexpr bool is_put = is_number_field<field_value_t<T>> || is_text_field<field_value_t<T>> ||
                        std::is_same_v<field_value_t<T>, char> || has_io_format<field_value_t<T>>;

// Room for a field and what follows it.
template <class T>
HEADRACE_INLINE std::size_t room_for(const T& value) noexcept {
  if constexpr (is_optional<T>) {
    return value.has_value() ? room_for(*value) : quoted_size(0) + 1;
  } else if constexpr (is_text_field<T>) {
    return quoted_size(std::string_view(value).size()) + 1;
  } else if constexpr (is_number_field<T>) {
    return max_room<T> + 1;
  } else if constexpr (has_io_format<T>) {
    return quoted_size(io<T>::longest) + 1;
  } else {
    return quoted_size(sizeof value) + 1;
  }
}

// Returns nullptr where write_row() has to say what is wrong.
template <class T>
HEADRACE_INLINE char* put_field(char* to, const delimited& format, const T& value, field_position at) noexcept {
  if constexpr (is_optional<T>) {
    if (!value.has_value()) return put_text(to, format, {}, at);
    if (is_empty_text(*value) && format.quote != '\0') return put_in_quotes(to, format, {}, false);
    return put_field(to, format, *value, at);
  } else if constexpr (is_text_field<T>) {
    return put_text(to, format, value, at);
  } else if constexpr (is_number_field<T>) {
    return write_short(to, value);
  } else {
    char* end = nullptr;
    (void)with_text(format, value, [&](std::string_view text) { end = put_text(to, format, text, at); });
    return end;
  }
}

inline constexpr std::size_t block_rows = 128;

// A column whose fields are put one at a time.
template <class Column>
struct single_fields {
  const Column& values;

  void prepare(std::size_t, std::size_t) const noexcept {}
  HEADRACE_INLINE std::size_t room(std::size_t row) const noexcept { return room_for(values[row]); }
  HEADRACE_INLINE char* put(char* to, const delimited& format, std::size_t row, field_position at) const noexcept {
    return put_field(to, format, values[row], at);
  }
};

template <class Column>
using value_of_column = std::remove_cv_t<std::remove_reference_t<decltype(std::declval<const Column&>()[0])>>;
// data() points to what [] gives, and not to the bytes that it is made of.
template <class Column, class = void>
constexpr bool has_block = false;
template <class Column>
constexpr bool has_block<Column, std::enable_if_t<is_contiguous<const Column>>> =
    std::is_same_v<decltype(std::declval<const Column&>()[0]), data_reference<const Column>>;
template <class Column>
constexpr bool has_floats = has_block<Column> && is_one_of<value_of_column<Column>, float, double>;
template <class Column>
constexpr bool has_long_integers =
    has_block<Column> && is_integer<value_of_column<Column>> && sizeof(value_of_column<Column>) == 8;

// Whether lengths at the front of a column differ so often that the branches of write_short(), which are at these
// magnitudes, would be mispredicted.
template <class Integer>
bool has_many_lengths(const Integer* values, std::size_t count) noexcept {
  constexpr std::size_t looked_at = 16;
  if (count < looked_at) return false;
  const auto length = [](Integer value) {
    const std::uint64_t magnitude = magnitude_of(value);
    return (magnitude >= 1000) + (magnitude >= 1000000) + (magnitude >= billion) + (magnitude >= ten_quadrillion);
  };
  unsigned changes = 0;
  for (std::size_t i = 1; i < looked_at; ++i) changes += length(values[i]) != length(values[i - 1]);
  return changes >= looked_at / 4;
}

// Whether it is faster to write several numbers of a column at once, and copy them to their rows.
template <class Column>
bool is_joined([[maybe_unused]] const Column& column) noexcept {
  if constexpr (has_floats<Column>) {
    return writes_floats_together<value_of_column<Column>>() && is_gapless(column);
  } else if constexpr (has_long_integers<Column>) {
    return writes_integers_together<value_of_column<Column>>() && is_gapless(column) &&
           has_many_lengths(std::data(column), std::size(column));
  } else {
    return false;
  }
}

// A column of numbers: where they are joined, those of a block go to a text of their own, whose lines are then copied
// to the rows.
template <class Column>
class joint_numbers {
 public:
  explicit joint_numbers(const Column& values) : values_(values), is_joined_(is_joined(values)) {
    if (!is_joined_) return;
    text_.reserve(block_rows * (max_bulk_length<value> + 1) + bulk_write_padding + copied);
    ends_.reserve(1 + block_rows + 64);
  }

  void prepare(std::size_t first, std::size_t count) noexcept {
    if (!is_joined_) return;
    first_ = first;
    char* const end = write(text_.data(), std::data(values_) + first, count);
    std::memset(end, 0, copied);
    ends_.data()[0] = 0xffff;  // the one before 0
    (void)index_newlines(text_.data(), static_cast<std::size_t>(end - text_.data()), ends_.data() + 1);
  }
  static constexpr std::size_t room(std::size_t) noexcept { return max_room<value> + copied; }
  HEADRACE_INLINE char* put(char* to, const delimited&, std::size_t row, field_position) const noexcept {
    if (!is_joined_) return write_short(to, values_[row]);
    const std::uint16_t* const end = ends_.data() + (row - first_);
    const auto begin = static_cast<std::uint16_t>(end[0] + 1);
    std::memcpy(to, text_.data() + begin, 32);
    return to + (end[1] - begin);
  }

 private:
  using value = value_of_column<Column>;
  static constexpr std::size_t copied = 64;  // bytes, after the last of which nothing is read

  static char* write(char* to, const value* values, std::size_t count) noexcept {
    if constexpr (is_float<value>) {
      return write_floats(to, values, count, '\n');
    } else {
      return write_integers(to, values, count, '\n');
    }
  }

  const Column& values_;
  bool is_joined_;
  std::size_t first_ = 0;
  column<char> text_;
  column<std::uint16_t> ends_;
};

// `Joint`: a column of the table has integers that are joined.
template <bool Joint, class Column>
using fields_of_column = std::conditional_t<has_floats<Column> || (Joint && has_long_integers<Column>),
                                            joint_numbers<Column>, single_fields<Column>>;

template <class... Fields, std::size_t... Index>
HEADRACE_INLINE char* put_row(char* to, const delimited& format, std::size_t row, const std::tuple<Fields...>& columns,
                              std::index_sequence<Index...>) noexcept {
  constexpr std::size_t last = sizeof...(Fields) - 1;
  const bool is_put = (((to = std::get<Index>(columns).put(to, format, row, {Index == 0, last == 0})) != nullptr &&
                        (*to++ = Index == last ? '\n' : format.separator, true)) &&
                       ...);
  return is_put ? to : nullptr;
}

// write_one(i) writes a row that is too long, or says what is wrong with it.
template <bool Joint, class... Column, class WriteOne>
void write_in_blocks(writer& to, const delimited& format, std::size_t rows, WriteOne write_one,
                     const Column&... columns) {
  std::tuple<fields_of_column<Joint, Column>...> all{fields_of_column<Joint, Column>{columns}...};
  for (std::size_t first = 0; first < rows; first += block_rows) {
    const std::size_t end = rows - first < block_rows ? rows : first + block_rows;
    std::apply([&](auto&... each) { (each.prepare(first, end - first), ...); }, all);
    char* next = writer_access::begin(to, 0);
    for (std::size_t row = first; row < end; ++row) {
      const std::size_t room = std::apply([row](auto&... each) { return (each.room(row) + ...); }, all);
      char* after = nullptr;
      bool fits = room <= writer_access::room(to, next);
      if (unlikely(!fits)) {
        writer_access::finish(to, next);
        next = writer_access::begin(to, room);
        fits = next != nullptr;
      }
      if (likely(fits)) after = put_row(next, format, row, all, std::index_sequence_for<Column...>{});
      if (unlikely(after == nullptr)) {
        if (fits) writer_access::finish(to, next);
        write_one(row);
        after = writer_access::begin(to, 0);
      }
      next = after;
    }
    writer_access::finish(to, next);
  }
}

template <class... Column>
void write_rows(writer& to, const delimited& format, std::size_t rows, const Column&... columns) {
  const auto write_one = [&](std::size_t i) { to.write_row(format, columns[i]...); };
  if constexpr ((is_put<value_of_column<Column>> && ...)) {
    const bool is_plain = !(is_written_as_text<field_value_t<value_of_column<Column>>>(format) || ...);
    if constexpr ((has_long_integers<Column> || ...)) {
      const bool is_joint = ((has_long_integers<Column> && is_joined(columns)) || ...);
      if (is_plain && is_joint) return write_in_blocks<true>(to, format, rows, write_one, columns...);
    }
    if (is_plain) return write_in_blocks<false>(to, format, rows, write_one, columns...);
  }
  for (std::size_t i = 0; i < rows; ++i) write_one(i);
}

}  // namespace detail

template <class Format, class... T>
writer& writer::write_row(const Format& format, const T&... fields) {
  static_assert(std::is_same_v<Format, delimited>,
                "a row is written in a headrace::delimited, which has no header: write_row(headrace::csv, 1, 2.5)");
  static_assert(sizeof...(T) != 0, "a row has at least one field");
  detail::check_format(*this, format);
  (detail::refuse_null(*this, fields), ...);
  detail::row_writer checked{*this, format, sizeof...(T) == 1}, row = checked;
  if (format.quote == '\0') (checked.check(fields), ...);
  (row.write(fields), ...);
  return *this << '\n';
}

template <class Sink, class Format, class... Column>
void write_columns(Sink&& to, const Format& format, const Column&... columns) {
  static_assert(sizeof...(Column) != 0, "a table has at least one column");
  const std::size_t sizes[] = {static_cast<std::size_t>(std::size(columns))...};
  for (const std::size_t size : sizes) {
    if (size != sizes[0]) detail::refuse_table(to, "columns of different lengths as one table");
  }
  const detail::table_format<sizeof...(Column)> as(detail::checked_format(format));
  detail::check_format(to, as.format);
  detail::with_writer(to, [&](writer& file) {
    detail::write_header(file, as.format, sizeof...(Column), as.has_names ? as.names : nullptr);
    detail::write_rows(file, as.format, sizes[0], columns...);
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
    detail::write_header(file, format, columns, nullptr);
    for (std::size_t row = 0; row < values.rows(); ++row) {
      detail::write_fields(file, format, columns, [&values, row](std::size_t i) { return values(row, i); });
    }
  });
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
