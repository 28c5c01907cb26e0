// headrace/columns/row_splitter.hpp: one row to its fields, a byte at a time: the reference for the kernels, and the
// only judge of how a row is made. Not for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "../columns.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

enum class row_fault : unsigned char {
  none,
  quote_in_field,  // in a field that does not begin with one
  after_quote,     // something else than a separator follows a closing quote
  unclosed_quote,  // the input ends inside it
  stray_return,    // no newline follows a carriage return outside quotes
  too_few,         // fields in a row
  too_many,
  bad_value,       // a field is no value of its type, or out of range
  no_header,       // the input ends before it
  no_such_column,  // in the header
  column_twice     // a name that is asked for is there twice
};

// The text of a field, counted from the first byte of its row, without the quotes around it.
struct field_place {
  std::size_t begin;
  std::size_t end;
  bool is_quoted;
  bool is_doubled;  // it holds quotes, each of them twice
};

// Which bytes of a format contradict each other, as a sentence; nullptr: none do.
constexpr const char* fault_of(const delimited& format) noexcept {
  const auto ends_line = [](char byte) { return byte == '\n' || byte == '\r'; };
  if (ends_line(format.separator)) return "the separator is a newline or a carriage return, which end rows";
  if (ends_line(format.quote)) return "the quote is a newline or a carriage return, which end rows";
  if (ends_line(format.comment)) return "comments begin with a newline or a carriage return, which end rows";
  if (format.quote != '\0' && format.quote == format.separator) return "the separator is the quote, too";
  if (format.comment == '\0') return nullptr;
  if (format.comment == format.separator) return "comments begin with the separator";
  return format.comment == format.quote ? "comments begin with the quote" : nullptr;
}

// A blank around a field that is no part of it.
constexpr bool is_padding(const delimited& format, char byte) noexcept {
  return format.trims && (byte == ' ' || byte == '\t') && byte != format.separator && byte != format.quote;
}

// An array that grows.
template <class T>
class growing_array {
 public:
  growing_array() noexcept = default;
  growing_array(const growing_array&) = delete;
  growing_array& operator=(const growing_array&) = delete;
  ~growing_array() { std::free(items_); }

  void clear() noexcept { size_ = 0; }
  std::size_t size() const noexcept { return size_; }
  const T& operator[](std::size_t i) const noexcept { return items_[i]; }
  bool push(T item) noexcept {  // false: out of memory
    if (size_ == room_ && !make_room(2 * size_ + 16)) return false;
    items_[size_++] = item;
    return true;
  }
  // Forgets what it held; nullptr: out of memory.
  T* get_room(std::size_t count) noexcept {
    size_ = 0;
    return count <= room_ || make_room(count) ? items_ : nullptr;
  }

 private:
  bool make_room(std::size_t count) noexcept {
    void* const got = std::realloc(items_, count * sizeof(T));
    if (got == nullptr) return false;
    items_ = static_cast<T*>(got);
    room_ = count;
    return true;
  }

  T* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

class row_splitter {
 public:
  enum class result : unsigned char {
    row,     // whole, with its end
    passed,  // a line that is no row: empty, or a comment
    more,    // its end is not among the bytes that were given
    fault,   // see fault() and fault_at()
    no_memory
  };

  explicit row_splitter(const delimited& format) noexcept : format_(format) {}

  // Begins the next row; its fields from the `kept`-th on are only counted.
  void start(std::size_t kept) noexcept {
    fields_.clear();
    kept_ = kept;
    count_ = 0;
    state_ = state::line;
    at_ = field_begin_ = fault_at_ = 0;
    fault_ = row_fault::none;
    is_quoted_ = false;
  }

  // Goes on with the row of which `size` bytes are at `row`, those that were looked at before included. `is_last`:
  // nothing follows them.
  result go_on(const char* row, std::size_t size, bool is_last) noexcept {
    for (; at_ != size; ++at_) {
      const result got = take(row, row[at_]);
      if (got == result::more) continue;
      if (got != result::fault) ++at_;
      return got;
    }
    return is_last && size != 0 ? finish(row) : result::more;
  }

  // Whether the next byte is the first one of a field, where an index of fields may go on; a field without quotes that
  // it is inside of is begun again, unless it is long: for every read that would cost the square of its length.
  bool return_to_field() noexcept {
    constexpr std::size_t too_long = 16 * 1024;
    if (format_.trims) return false;
    if (state_ == state::plain && at_ - field_begin_ < too_long) {
      at_ = field_begin_;
      state_ = state::field;
    }
    return state_ == state::field;
  }
  // Takes fields that an index found from there on, up to one that a newline ends. False: out of memory.
  bool add_indexed(const char* row, const std::uint16_t* ends, std::size_t count) noexcept {
    const std::size_t begin = at_;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t end = begin + ends[i];
      if (row[end - 1] == '\n') break;
      if (!add_sound_field(row, end - 1)) return false;
      at_ = field_begin_ = end;
    }
    return true;
  }

  std::size_t field_count() const noexcept { return count_; }
  const field_place& field(std::size_t i) const noexcept { return fields_[i]; }
  std::size_t length() const noexcept { return at_; }  // of a row or line, its end included
  row_fault fault() const noexcept { return fault_; }
  std::size_t fault_at() const noexcept { return fault_at_; }

 private:
  enum class state : unsigned char {
    line,  // before its first byte
    comment,
    field,  // before its first byte
    plain,  // in a field without quotes
    quoted,
    quote,    // after a quote in a quoted field, which closes it or is the first of two
    closed,   // after blanks behind a closing quote
    returned  // after a carriage return
  };

  bool is_quote(char byte) const noexcept { return byte == format_.quote && format_.quote != '\0'; }

  result take(const char* row, char byte) noexcept {
    switch (state_) {
      case state::line:
        if (byte == format_.comment && format_.comment != '\0') {
          state_ = state::comment;
          return result::more;
        }
        state_ = state::field;
        return take_first(row, byte);
      case state::comment:
        return byte == '\n' ? result::passed : result::more;
      case state::field:
        return take_first(row, byte);
      case state::plain:
        if (is_quote(byte)) return fail(row_fault::quote_in_field, at_);
        return take_end(row, byte);
      case state::quoted:
        if (is_quote(byte)) {
          state_ = state::quote;
          field_end_ = at_;
        }
        return result::more;
      case state::quote:
        if (is_quote(byte)) {
          state_ = state::quoted;
          is_doubled_ = true;
          return result::more;
        }
        [[fallthrough]];
      case state::closed:
        if (is_padding(format_, byte)) {
          state_ = state::closed;
          return result::more;
        }
        if (byte != format_.separator && byte != '\n' && byte != '\r') return fail(row_fault::after_quote, at_);
        return take_end(row, byte);
      default:
        if (byte != '\n') return fail(row_fault::stray_return, at_ - 1);
        return end_row(row, at_ - 1);
    }
  }

  // The first byte of a field.
  result take_first(const char* row, char byte) noexcept {
    if (is_padding(format_, byte)) return result::more;
    is_quoted_ = is_quote(byte);
    is_doubled_ = false;
    field_begin_ = at_ + is_quoted_;
    state_ = is_quoted_ ? state::quoted : state::plain;
    return is_quoted_ ? result::more : take_end(row, byte);
  }

  // A byte after which a field may have ended.
  result take_end(const char* row, char byte) noexcept {
    if (byte == '\n') return end_row(row, at_);
    if (byte == '\r') {
      state_ = state::returned;
      return result::more;
    }
    if (byte != format_.separator) return result::more;
    state_ = state::field;
    const bool added = add_field(row, at_);
    field_begin_ = at_ + 1;
    is_quoted_ = false;
    return added ? result::more : result::no_memory;
  }

  result end_row(const char* row, std::size_t end) noexcept {
    if (state_ == state::field) field_begin_ = end;  // only blanks were seen
    const bool is_empty = count_ == 0 && field_begin_ == end && !is_quoted_;
    if (is_empty && !format_.keeps_empty_lines) return result::passed;
    return add_field(row, end) ? result::row : result::no_memory;
  }

  // The end of the input is the end of its last row.
  result finish(const char* row) noexcept {
    if (state_ == state::comment) return result::passed;
    if (state_ == state::quoted) return fail(row_fault::unclosed_quote, field_begin_ - 1);
    if (state_ == state::returned) return fail(row_fault::stray_return, at_ - 1);
    return end_row(row, at_);
  }

  bool add_field(const char* row, std::size_t end) noexcept {
    if (count_++ >= kept_) return true;
    if (is_quoted_) return fields_.push({field_begin_, field_end_, true, is_doubled_});
    while (end > field_begin_ && is_padding(format_, row[end - 1])) --end;
    return fields_.push({field_begin_, end, false, false});
  }

  bool add_sound_field(const char* row, std::size_t end) noexcept {
    if (count_++ >= kept_) return true;
    if (!is_quote(row[field_begin_])) return fields_.push({field_begin_, end, false, false});
    const std::size_t begin = field_begin_ + 1;
    return fields_.push({begin, end - 1, true, std::memchr(row + begin, format_.quote, end - 1 - begin) != nullptr});
  }

  result fail(row_fault fault, std::size_t at) noexcept {
    fault_ = fault;
    fault_at_ = at;
    return result::fault;
  }

  delimited format_;
  growing_array<field_place> fields_;
  std::size_t kept_ = 0;
  std::size_t count_ = 0;
  std::size_t at_ = 0;
  std::size_t field_begin_ = 0;
  std::size_t field_end_ = 0;  // of a quoted field
  std::size_t fault_at_ = 0;
  state state_ = state::line;
  row_fault fault_ = row_fault::none;
  bool is_quoted_ = false;
  bool is_doubled_ = false;
};

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
