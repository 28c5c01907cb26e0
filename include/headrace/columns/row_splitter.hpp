// headrace/columns/row_splitter.hpp: one row to its fields, a byte at a time: the reference for the kernels, and the
// judge of the rows that they leave. Not for users.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "../columns.hpp"
#include "../detail/simd/index_fields.hpp"

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

// The field that is [begin, stop) of a row which is as it should be, without the separator, or the newline, after it.
// `has_doubled` tells of a field, quoted or not, whether there are doubled quotes in it.
template <class HasDoubled>
HEADRACE_INLINE field_place place_field(const delimited& format, const char* text, std::size_t begin, std::size_t stop,
                                        bool is_last, bool may_be_quoted, HasDoubled has_doubled) noexcept {
  if (is_last && stop != begin && text[stop - 1] == '\r') --stop;
  if (format.trims) {
    while (begin != stop && is_padding(format, text[begin])) ++begin;
    while (begin != stop && is_padding(format, text[stop - 1])) --stop;
  }
  const bool is_quoted = may_be_quoted & (stop - begin >= 2) & (text[begin] == format.quote);  // no branch
  field_place place{begin + is_quoted, stop - is_quoted, is_quoted, false};
  place.is_doubled = may_be_quoted && has_doubled(place);
  return place;
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
  const T* data() const noexcept { return items_; }
  bool push(T item) noexcept {  // false: out of memory
    T* const next = extend(1);
    if (next != nullptr) *next = item;
    return next != nullptr;
  }
  // Room for `count` items after the last one, which they are from now on; nullptr: out of memory.
  T* extend(std::size_t count) noexcept {
    if (room_ - size_ < count && !make_room(2 * size_ + count + 16)) return nullptr;
    size_ += count;
    return items_ + (size_ - count);
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
    ends_.clear();
    (void)ends_.push(0);
    kept_ = kept;
    count_ = 0;
    state_ = state::line;
    at_ = field_begin_ = fault_at_ = 0;
    fault_ = row_fault::none;
    is_quoted_ = has_quotes_ = has_return_ = false;
  }

  // Goes on with the row of which `size` bytes are at `row`, those that were looked at before included. `is_last`:
  // nothing follows them.
  result go_on(const char* row, std::size_t size, bool is_last) noexcept {
    if (ends_.size() == 0) return result::no_memory;
    for (; at_ != size; ++at_) {
      const result got = take(row[at_]);
      if (got == result::more) continue;
      if (got != result::fault) ++at_;
      return got;
    }
    return is_last && size != 0 ? finish() : result::more;
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
  bool add_indexed(const char* row, const std::uint16_t* ends, const field_index& found) noexcept {
    const std::size_t begin = at_;
    std::size_t count = found.fields;
    if (found.newlines != 0) {
      const auto ends_row = [text = row + begin - 1](std::uint16_t end) { return text[end] == '\n'; };
      count = static_cast<std::size_t>(std::find_if(ends, ends + count, ends_row) - ends);
    }
    if (count == 0) return true;
    const std::size_t left = count_ < kept_ ? kept_ - count_ : 0, kept = count < left ? count : left;
    std::size_t* const to = ends_.extend(kept);
    if (to == nullptr) return false;
    for (std::size_t i = 0; i < kept; ++i) to[i] = begin + ends[i];
    count_ += count;
    at_ = field_begin_ = begin + ends[count - 1];
    has_quotes_ |= found.quoted;
    has_return_ |= found.returned;
    return true;
  }

  std::size_t field_count() const noexcept { return count_; }
  field_place field(const char* row, std::size_t i) const noexcept {
    const std::size_t* const end = ends() + i;
    return place_field(format_, row, end[-1], end[0] - 1, i + 1 == count_, has_quotes_, [&](const field_place& place) {
      return place.is_quoted && std::memchr(row + place.begin, format_.quote, place.end - place.begin) != nullptr;
    });
  }
  // Of the fields, as in an index: field i is [ends()[i - 1], ends()[i] - 1), and that is all of it if the row is
  // plain.
  const std::size_t* ends() const noexcept { return ends_.data() + 1; }
  bool is_plain() const noexcept { return !has_quotes_ && !has_return_ && !format_.trims; }
  std::size_t length() const noexcept { return at_; }                // of a row or line, its end included
  std::size_t field_begin() const noexcept { return field_begin_; }  // of the one that was looked at last
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

  result take(char byte) noexcept {
    switch (state_) {
      case state::line:
        if (byte == format_.comment && format_.comment != '\0') {
          state_ = state::comment;
          return result::more;
        }
        state_ = state::field;
        return take_first(byte);
      case state::comment:
        return byte == '\n' ? result::passed : result::more;
      case state::field:
        return take_first(byte);
      case state::plain:
        if (is_quote(byte)) return fail(row_fault::quote_in_field, at_);
        return take_end(byte);
      case state::quoted:
        if (is_quote(byte)) state_ = state::quote;
        return result::more;
      case state::quote:
        if (is_quote(byte)) {
          state_ = state::quoted;
          return result::more;
        }
        [[fallthrough]];
      case state::closed:
        if (is_padding(format_, byte)) {
          state_ = state::closed;
          return result::more;
        }
        if (byte != format_.separator && byte != '\n' && byte != '\r') return fail(row_fault::after_quote, at_);
        return take_end(byte);
      default:
        if (byte != '\n') return fail(row_fault::stray_return, at_ - 1);
        has_return_ = true;
        return end_row(at_ - 1);
    }
  }

  // The first byte of a field.
  result take_first(char byte) noexcept {
    if (is_padding(format_, byte)) return result::more;
    is_quoted_ = is_quote(byte);
    has_quotes_ |= is_quoted_;
    field_begin_ = at_ + is_quoted_;
    state_ = is_quoted_ ? state::quoted : state::plain;
    return is_quoted_ ? result::more : take_end(byte);
  }

  // A byte after which a field may have ended.
  result take_end(char byte) noexcept {
    if (byte == '\n') return end_row(at_);
    if (byte == '\r') {
      state_ = state::returned;
      return result::more;
    }
    if (byte != format_.separator) return result::more;
    state_ = state::field;
    const bool added = add_field();
    field_begin_ = at_ + 1;
    is_quoted_ = false;
    return added ? result::more : result::no_memory;
  }

  result end_row(std::size_t end) noexcept {
    if (state_ == state::field) field_begin_ = end;  // only blanks were seen
    const bool is_empty = count_ == 0 && field_begin_ == end && !is_quoted_;
    if (is_empty && !format_.keeps_empty_lines) return result::passed;
    return add_field() ? result::row : result::no_memory;
  }

  // The end of the input is the end of its last row.
  result finish() noexcept {
    if (state_ == state::comment) return result::passed;
    if (state_ == state::quoted) return fail(row_fault::unclosed_quote, field_begin_ - 1);
    if (state_ == state::returned) return fail(row_fault::stray_return, at_ - 1);
    return end_row(at_);
  }

  // The byte that is being looked at, or the end of the input, ends it.
  bool add_field() noexcept { return count_++ >= kept_ || ends_.push(at_ + 1); }

  result fail(row_fault fault, std::size_t at) noexcept {
    fault_ = fault;
    fault_at_ = at;
    return result::fault;
  }

  delimited format_;
  growing_array<std::size_t> ends_;  // of the fields that are kept, after a 0
  std::size_t kept_ = 0;
  std::size_t count_ = 0;
  std::size_t at_ = 0;
  std::size_t field_begin_ = 0;
  std::size_t fault_at_ = 0;
  state state_ = state::line;
  row_fault fault_ = row_fault::none;
  bool is_quoted_ = false;  // the field
  bool has_quotes_ = false;
  bool has_return_ = false;
};

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
