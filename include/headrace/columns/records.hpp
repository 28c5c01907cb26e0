// headrace/columns/records.hpp: rows of a width that is known at run time. Not for users.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "read.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Finds the columns of a header by name: open addressing, by FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo, 1991).
class name_index {
 public:
  static constexpr std::size_t none = ~std::size_t(0), twice = none - 1;

  void make(const std::vector<std::string>& names) {
    std::size_t size = 16;
    while (size < 2 * names.size()) size *= 2;
    places_.assign(size, entry{});
    for (std::size_t i = 0; i < names.size(); ++i) {
      entry& place = places_[find_place(names, names[i])];
      place.is_twice = place.number != 0;
      if (place.number == 0) place.number = i + 1;
    }
  }
  // Its number, or none or twice.
  std::size_t find(const std::vector<std::string>& names, std::string_view name) const noexcept {
    if (places_.empty()) return none;
    const entry& place = places_[find_place(names, name)];
    if (place.number == 0) return none;
    return place.is_twice ? twice : place.number - 1;
  }

 private:
  struct entry {
    std::size_t number = 0;  // from 1
    bool is_twice = false;
  };

  std::size_t find_place(const std::vector<std::string>& names, std::string_view name) const noexcept {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char byte : name) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    const std::size_t mask = places_.size() - 1;
    auto place = static_cast<std::size_t>(hash ^ hash >> 32) & mask;
    while (places_[place].number != 0 && names[places_[place].number - 1] != name) place = (place + 1) & mask;
    return place;
  }

  std::vector<entry> places_;
};

// The table of records, and what is found in its header once.
class record_table {
 public:
  record_table(reader& from, const delimited& format, rejects* aside)
      : table_(from, {format, nullptr, 0}, aside), name_(from.name()) {}

  table& rows() noexcept { return table_; }

  // Rows wait, or status::end, or what is wrong with the next one.
  status look_ahead() {
    const bool needs_width = table_.has_one_width() && table_.width() == 0;
    const status got = needs_width ? table_.find_width() : status::ok;
    return got == status::ok ? table_.look_ahead() : got;
  }
  const std::vector<std::string>& header() {
    if (has_header_) return table_.header();
    (void)has_more(table_, table_.find_width());
    names_.make(table_.header());
    has_header_ = true;
    return table_.header();
  }
  std::size_t column(std::string_view name) {
    const std::size_t found = names_.find(header(), name);
    if (likely(found < name_index::twice)) return found;
    fail(name, found == name_index::twice);
  }

 private:
  [[noreturn]] HEADRACE_COLD void fail(std::string_view name, bool is_twice) const {
    const char* const what = table_.header().empty() ? ": there is no header to find the column "
                             : is_twice              ? ": the header has two columns named "
                                                     : ": the header has no column ";
    raise_input_error(message{std::string_view(name_), what, quoted(name)}, std::errc::invalid_argument, {});
  }

  table table_;
  std::string name_;
  name_index names_;
  bool has_header_ = false;
};

}  // namespace detail

class record {
 public:
  class iterator;

  std::size_t size() const noexcept { return place().fields; }
  // i < size().
  HEADRACE_INLINE std::string_view operator[](std::size_t i) const {
    HEADRACE_ASSERT(i < size(), "a record is asked for a field that it does not have");
    if (detail::likely(place().is_plain)) return between(place().ends + i);
    return place().is_far_plain ? between(place().far_ends + i) : rows().text_of(i);
  }
  template <class T>
  T get(std::size_t i) const {
    T value{};
    if (detail::unlikely(i >= size())) rows().fail_missing(i);
    const std::errc code = read(i, value);
    if (detail::unlikely(code != std::errc{})) rows().fail_field(i, detail::field_type_of<T>, code);
    return value;
  }
  template <class T>
  T get(std::string_view name) const {
    return get<T>(from_->column(name));
  }
  // The field of a column by name.
  std::string_view operator[](std::string_view name) const { return get<std::string_view>(from_->column(name)); }

  std::uint64_t line() const noexcept { return rows().where().line; }

 private:
  friend class record_sequence;
  explicit record(detail::record_table& from) noexcept : from_(&from) {}

  detail::table& rows() const noexcept { return from_->rows(); }
  const detail::record_place& place() const noexcept { return rows().record(); }
  template <class End>
  HEADRACE_INLINE std::string_view between(const End* end) const noexcept {
    return {place().text + end[-1], static_cast<std::size_t>(end[0] - 1 - end[-1])};
  }
  template <class T>
  std::errc read(std::size_t i, T& value) const {
    using waiting = detail::waiting_t<detail::field_value_t<T>>;
    alignas(waiting) char bytes[sizeof(waiting)];
    if constexpr (detail::is_integer<T> || detail::is_one_of<T, float, double, bool>) {
      if (detail::likely((place().is_plain || place().is_far_plain) && rows().has_tokens())) {
        const std::string_view text = (*this)[i];
        if (text.empty()) return std::errc::invalid_argument;
        const char* const last = text.data() + text.size();
        if constexpr (detail::is_float<T>) {
          if (detail::likely(detail::parse_token_in_turn(text.data(), last, value))) return std::errc{};
          return detail::parse_token(text.data(), last, value);  // which says what is wrong
        } else {
          return detail::parse_token_in_buffer(text.data(), last, value);
        }
      }
    }
    unsigned char present = 1;
    detail::table_slot to;
    to.type = &detail::field_type_of<T>;
    to.values = bytes;
    if (to.type->is_optional) to.present = &present;
    const std::errc code = rows().get_field(i, to);
    if (code == std::errc{}) detail::assign_field(value, to, 0);
    return code;
  }

  detail::record_table* from_;  // which has the place of the row that was taken last
};

class record_sequence {
 public:
  struct sentinel {};
  class iterator;

  record_sequence(reader& from, const delimited& format, rejects* aside = nullptr) : table_(from, format, aside) {}
  template <std::size_t Count>
  record_sequence(reader& from, const named_columns<Count>& format, rejects* aside = nullptr)
      : record_sequence(from, format.format(), aside) {}
  record_sequence(const record_sequence&) = delete;
  record_sequence& operator=(const record_sequence&) = delete;

  iterator begin();
  sentinel end() const noexcept { return {}; }

  // The names of the columns; none without a header.
  const std::vector<std::string>& header() { return table_.header(); }
  // The number of the column of that name, for record::operator[] and get().
  std::size_t column(std::string_view name) { return table_.column(name); }
  // Passes over a row, whatever is in it; false at the end of input.
  bool skip_row() { return detail::has_more(table_.rows(), table_.rows().skip_row()); }

 private:
  HEADRACE_INLINE bool has_next() {
    return detail::likely(table_.rows().has_row()) ||
           detail::find_rows(table_.rows(), [this] { return table_.look_ahead(); });
  }
  HEADRACE_INLINE void take() noexcept { table_.rows().take_record(); }

  detail::record_table table_;
};

class record_sequence::iterator {
 public:
  using value_type = record;
  using difference_type = std::ptrdiff_t;
  using reference = record;
  using pointer = void;
  using iterator_category = std::input_iterator_tag;

  explicit iterator(record_sequence& from) : from_(&from) { ++*this; }
  record operator*() const noexcept { return record(from_->table_); }
  HEADRACE_INLINE iterator& operator++() {
    more_ = from_->has_next();
    if (detail::likely(more_)) from_->take();
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const iterator& at, sentinel) noexcept { return !at.more_; }
  friend bool operator!=(const iterator& at, sentinel) noexcept { return at.more_; }

 private:
  record_sequence* from_;
  bool more_ = false;
};

inline record_sequence::iterator record_sequence::begin() { return iterator(*this); }

template <class Format>
auto reader::records(const Format& format) & {
  return record_sequence(*this, detail::checked_format(format));
}
template <class Format, class Rejects>
auto reader::records(const Format& format, Rejects& aside) & {
  return record_sequence(*this, detail::checked_format(format), &aside);
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
