// headrace/columns/read.hpp: what waits in a table becomes rows, columns or a matrix; values become a column. Not for
// users.
#pragma once

#include <cstring>

#include "table.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// T... is either the types of the fields, or one aggregate of them.
template <class T>
constexpr bool is_field =
    !std::is_class_v<T> || is_text<T> || is_optional<T> || is_one_of<T, skip, text> || has_io_parse<T>;

template <class... T>
struct row_types {
  using row = std::tuple<T...>;
  using fields = std::tuple<T...>;
  static constexpr row& tie(row& value) noexcept { return value; }
};
template <class Tuple>
struct without_references;
template <class... T>
struct without_references<std::tuple<T&...>> {
  using type = std::tuple<T...>;
};
template <class T>
struct aggregate_row {
  static_assert(std::is_aggregate_v<T>, "headrace reads rows into aggregates: a struct without constructors");
  using row = T;
  using fields = typename without_references<decltype(tie_members(std::declval<T&>()))>::type;
  static constexpr auto tie(row& value) noexcept { return tie_members(value); }
};
template <class... T>
struct choose_row {
  using type = row_types<T...>;
};
template <class T>
struct choose_row<T> {
  using type = std::conditional_t<is_field<T>, row_types<T>, aggregate_row<T>>;
};

template <class Tuple>
struct field_types;
template <class... T>
struct field_types<std::tuple<T...>> {
  static constexpr std::size_t count = sizeof...(T);
  static constexpr const field_type* list[] = {&field_type_of<T>...};
};

// All fields are of one type, as many as there are in the first row.
template <class T>
table_layout matrix_layout(const delimited& format) noexcept {
  return {format, field_types<std::tuple<T>>::list, 1, nullptr, true};
}

// Value i of a slot to a field of a row.
template <class T>
HEADRACE_INLINE void assign_field(T& to, const table_slot& from, std::size_t i) {
  using value = field_value_t<T>;
  static_assert(!std::is_same_v<value, text>,
                "headrace::text is a column of read_columns(), which is not optional: other fields of text are a "
                "std::string or a std::string_view");
  if constexpr (!is_one_of<value, skip, text>) {
    if constexpr (is_optional<T>) {
      if (from.present[i] == 0) {
        to.reset();
        return;
      }
    }
    waiting_t<value> waiting;
    std::memcpy(&waiting, from.values + i * sizeof waiting, sizeof waiting);
    if constexpr (std::is_same_v<T, std::string>) {
      to.assign(waiting.data(), waiting.size());
    } else {
      to = static_cast<value>(waiting);
    }
  }
}

template <class Tuple, std::size_t... Index>
HEADRACE_INLINE void assign_fields(Tuple&& to, const table& from, std::size_t row, std::index_sequence<Index...>) {
  (assign_field(std::get<Index>(to), from.slot(Index), row), ...);
}

// A format and its names, as many as a row has fields.
template <std::size_t Fields>
struct table_format {
  explicit table_format(const delimited& unnamed) noexcept : format(unnamed) {}
  template <std::size_t Count>
  explicit table_format(const named_columns<Count>& named) noexcept : format(named.format()), has_names(true) {
    static_assert(Count == Fields, "with_header() names as many columns as there are fields in a row, or none");
    for (std::size_t i = 0; i < Count; ++i) names[i] = named.names()[i];
  }
  template <class Types>
  table_layout layout() const noexcept {
    return {format, Types::list, Fields, has_names ? names : nullptr};
  }

  delimited format;
  bool has_names = false;
  std::string_view names[Fields];
};

// Whether rows() and read_columns() can be given it; of anything else one error says what it should be.
template <class Format>
constexpr bool is_format = std::is_same_v<Format, delimited>;
template <std::size_t Count>
constexpr bool is_format<named_columns<Count>> = true;

template <class Format>
decltype(auto) checked_format(const Format& format) noexcept {
  static_assert(is_format<Format>,
                "a format is headrace::csv, headrace::tsv or headrace::delimited(';'), or one of "
                "these with more said: csv.with_header(\"id\", \"price\")");
  if constexpr (is_format<Format>) {
    return (format);
  } else {
    return (csv);
  }
}

// False at the end of input; throws for everything else that is not `ok`.
inline bool has_more(table& from, status got) {
  if (got != status::ok && got != status::end) from.fail(got);
  return got == status::ok;
}

// Looks ahead until a row waits, past those that are set aside; false at the end of input.
template <class LookAhead>
bool find_rows(table& in, LookAhead look_ahead) {
  do {
    if (!has_more(in, look_ahead())) return false;
  } while (unlikely(!in.has_row()));
  return true;
}

}  // namespace detail

template <class... T>
class row_sequence {
  using types = typename detail::choose_row<T...>::type;

 public:
  using value_type = typename types::row;
  struct sentinel {};
  class iterator;

  template <class Format>
  row_sequence(reader& from, const Format& format, rejects* aside = nullptr)
      : row_sequence(from, detail::table_format<fields::count>(format), aside) {}
  row_sequence(const row_sequence&) = delete;
  row_sequence& operator=(const row_sequence&) = delete;

  iterator begin();
  sentinel end() const noexcept { return {}; }

  // The next row; false at the end of input. Throws input_error, and the reader is then before the row.
  [[nodiscard]] HEADRACE_INLINE bool try_read_row(value_type& row) {
    if (detail::unlikely(!table_.has_row()) && !look_ahead()) return false;
    take(row);
    return true;
  }
  // Reads a row without throwing (but for std::bad_alloc): at the end of input error->at_end() is true.
  [[nodiscard]] read_result parse_row(value_type& row) {
    while (!table_.has_row()) {
      const detail::status got = table_.look_ahead();
      if (got != detail::status::ok) return detail::reader_access::failed([&] { return table_.make_error(got); });
    }
    take(row);
    return {};
  }
  // Passes over a row, whatever is in it; false at the end of input. A row that is malformed ends with the line where
  // it becomes so: after an unclosed quote, with the line of that quote.
  bool skip_row() { return detail::has_more(table_, table_.skip_row()); }

 private:
  using fields = detail::field_types<typename types::fields>;

  row_sequence(reader& from, const detail::table_format<fields::count>& as, rejects* aside)
      : table_(from, as.template layout<fields>(), aside) {}

  HEADRACE_INLINE void take(value_type& row) {
    detail::assign_fields(types::tie(row), table_, table_.taken(), std::make_index_sequence<fields::count>{});
    table_.take_row();
  }
  bool look_ahead() {
    return detail::find_rows(table_, [this] { return table_.look_ahead(); });
  }

  detail::table table_;
};

template <class... T>
class row_sequence<T...>::iterator {
 public:
  using value_type = typename row_sequence::value_type;
  using difference_type = std::ptrdiff_t;
  using reference = value_type&;
  using pointer = value_type*;
  using iterator_category = std::input_iterator_tag;

  // The first row, like all others, is likely to be there: a compiler would else take the loop for one that seldom
  // runs.
  explicit iterator(row_sequence& from) : from_(&from), more_(from.table_.has_row() || from.look_ahead()) {
    if (detail::likely(more_)) from.take(row_);
  }
  value_type& operator*() const noexcept { return row_; }
  value_type* operator->() const noexcept { return &row_; }
  HEADRACE_INLINE iterator& operator++() {
    more_ = from_->try_read_row(row_);
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const iterator& at, sentinel) noexcept { return !at.more_; }
  friend bool operator!=(const iterator& at, sentinel) noexcept { return at.more_; }

 private:
  row_sequence* from_;
  mutable value_type row_{};
  bool more_;
};

template <class... T>
typename row_sequence<T...>::iterator row_sequence<T...>::begin() {
  return iterator(*this);
}

template <class... T, class Format>
auto reader::rows(const Format& format) & {
  static_assert(sizeof...(T) != 0, "name the types of the fields, or an aggregate: rows<int, double>(format)");
  return row_sequence<T...>(*this, detail::checked_format(format));
}
template <class... T, class Format, class Rejects>
auto reader::rows(const Format& format, Rejects& aside) & {
  static_assert(sizeof...(T) != 0, "name the types of the fields, or an aggregate: rows<int, double>(format, aside)");
  return row_sequence<T...>(*this, detail::checked_format(format), &aside);
}

// ---- whole files ----

namespace detail {

// Calls `action` with a reader, or with one of a path.
template <class Source, class Action>
auto with_reader(Source& from, Action action) {
  if constexpr (std::is_base_of_v<reader, Source>) {
    return action(from);
  } else {
    reader file(from);
    return action(file);
  }
}

// Appends all values up to the end, which is status::end, or to what stops before it.
template <class T>
status fill_column(reader& from, column<T>& all) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    for (;;) {
      T* const next = all.make_room(1);
      std::size_t done = 0;
      const std::size_t count = all.capacity() - all.size();
      status result{};
      if constexpr (is_fetched_in_bulk<T>) {
        result = reader_access::fetch_many(from, next, count, done);
      } else {
        while (done != count && (result = reader_access::fetch(from, next[done])) == status::ok) ++done;
      }
      all.set_size(all.size() + done);
      if (result != status::ok) return result;
    }
  } else {
    for (T value{};; all.push_back(static_cast<T&&>(value))) {
      const status result = reader_access::fetch(from, value);
      if (result != status::ok) return result;
    }
  }
}

template <class T>
column<T> read_every_value(reader& from) {
  static_assert(!std::is_same_v<T, std::string_view>,
                "a string_view is valid until the next read only: read words into std::string");
  column<T> all;
  if constexpr (is_integer<T> || is_float<T> || is_one_of<T, bool, char>) {
    const status result = fill_column(from, all);
    if (result != status::end) reader_access::fail(from, result, kind_of<T>);
  } else {
    for (T value{}; from.try_read(value);) all.push_back(static_cast<T&&>(value));
  }
  return all;
}

// Values that are converted where they are to be: the others wait in the table first.
template <class T>
constexpr bool is_converted_in_place =
    !is_optional<T> && !is_text<T> && !is_one_of<T, skip, text> && sizeof(waiting_t<T>) == sizeof(T);

// Values that wait from a place of a slot on become the last ones of a column. They are there already, unless a row
// before them was set aside.
template <class T>
void add_values(column<T>& to, const table_slot& from, std::size_t first, std::size_t count) noexcept {
  T* const end = to.data() + to.size();
  const char* const values = from.values + first * sizeof(T);
  if (unlikely(reinterpret_cast<const char*>(end) != values) && count != 0) {
    std::memmove(static_cast<void*>(end), values, count * sizeof(T));
  }
  to.set_size(to.size() + count);
}

// Texts that wait are in a buffer of the reader or of the table, after which 16 bytes may be read.
inline void add_texts(text_column& to, const table_slot& from, std::size_t first, std::size_t count) {
  constexpr std::size_t step = 16;
  const auto waiting = [&from, first](std::size_t i) noexcept {
    std::string_view found;
    std::memcpy(&found, from.values + (first + i) * sizeof found, sizeof found);
    return found;
  };
  column<char>& bytes = text_access::bytes(to);
  column<std::int64_t>& ends = text_access::ends(to);
  std::size_t size = 0;
  for (std::size_t i = 0; i < count; ++i) size += waiting(i).size();
  if (ends.empty()) ends.push_back(0);
  char* next = bytes.make_room(size + step);
  std::int64_t* const next_end = ends.make_room(count);
  auto end = static_cast<std::int64_t>(bytes.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view found = waiting(i);
    std::memcpy(next, found.data(), step);
    for (std::size_t done = step; done < found.size(); done += step) {
      std::memcpy(next + done, found.data() + done, step);
    }
    next += found.size();
    next_end[i] = end += static_cast<std::int64_t>(found.size());
  }
  bytes.set_size(bytes.size() + size);
  ends.set_size(ends.size() + count);
}

// The container of the values of a slot.
template <class T>
using column_of = std::conditional_t<std::is_same_v<T, text>, text_column, column<T>>;

// Fills one: prepare() before rows are converted, take() when they wait.
template <class T>
struct column_filler {
  void prepare(table& from) {
    if constexpr (is_converted_in_place<T>) {
      if (likely(!from.is_within_batch())) from.set_values(slot, values.make_room(from.values_in_batch()));
    }
  }
  void take(const table& from) {
    const std::size_t first = from.taken() * from.values_in_row(), last = from.ready() * from.values_in_row();
    if constexpr (std::is_same_v<T, text>) {
      add_texts(values, from.slot(slot), first, last - first);
    } else if constexpr (is_converted_in_place<T>) {
      add_values(values, from.slot(slot), first, last - first);
    } else if constexpr (!std::is_same_v<T, skip>) {
      for (std::size_t i = first; i < last; ++i) assign_field(values.emplace_back(), from.slot(slot), i);
    }
  }

  std::size_t slot;
  column_of<T> values{};
};

// The columns of all slots; of a matrix, the one with all of its values.
template <class... T>
class column_fillers {
 public:
  column_fillers() : column_fillers(std::index_sequence_for<T...>{}) {}

  void prepare(table& from) {
    for_each([&from](auto& each) { each.prepare(from); });
  }
  void take(const table& from) {
    for_each([&from](auto& each) { each.take(from); });
  }
  template <class Action>
  void for_each(Action action) {
    std::apply([&action](auto&... each) { (action(each), ...); }, all);
  }

  std::tuple<column_filler<T>...> all;

 private:
  template <std::size_t... Index>
  explicit column_fillers(std::index_sequence<Index...>) : all(column_filler<T>{Index}...) {}
};

// Up to the end.
template <class Fillers>
void fill_all(Fillers& to, table& from) {
  for (;;) {
    to.prepare(from);
    if (!has_more(from, from.look_ahead())) return;
    to.take(from);
    from.take_all();
  }
}

// A column as a part of what read_columns() returns, which has none for skip.
template <class T>
auto as_result(column_of<T>&& values) {
  if constexpr (std::is_same_v<T, skip>) {
    return std::tuple<>();
  } else {
    return std::tuple<column_of<T>>(static_cast<column_of<T>&&>(values));
  }
}

template <class... T, class Format>
auto fill_columns(reader& file, const Format& format, rejects* aside) {
  static_assert(sizeof...(T) != 0, "name the types of the columns: read_columns<int, double>(from, format)");
  static_assert((!std::is_same_v<field_value_t<T>, std::string_view> && ...),
                "a string_view is valid until the next row only: a column of text is headrace::text or std::string");
  using fields = field_types<std::tuple<T...>>;
  const table_format<fields::count> kept(checked_format(format));
  table from(file, kept.template layout<fields>(), aside);
  column_fillers<T...> columns;
  fill_all(columns, from);
  return std::apply([](auto&... each) { return std::tuple_cat(as_result<T>(std::move(each.values))...); }, columns.all);
}

template <class T>
matrix<T> fill_matrix(reader& file, const delimited& format, rejects* aside) {
  static_assert((is_integer<T> || is_float<T> || has_io_parse<T>) && sizeof(waiting_t<T>) == sizeof(T),
                "a matrix has integers of at least 32 bits, floats, or values of a type with io<T>::parse()");
  table from(file, matrix_layout<T>(format), aside);
  if (!has_more(from, from.find_width())) return {};
  column_fillers<T> columns;
  fill_all(columns, from);
  return matrix<T>(std::move(std::get<0>(columns.all).values), from.width());
}

}  // namespace detail

template <class T, class Source>
column<T> read_all(Source&& from) {
  return detail::with_reader(from, [](reader& file) { return detail::read_every_value<T>(file); });
}

template <class... T, class Source, class Format>
auto read_columns(Source&& from, const Format& format) {
  return detail::with_reader(from,
                             [&format](reader& file) { return detail::fill_columns<T...>(file, format, nullptr); });
}
template <class... T, class Source, class Format>
auto read_columns(Source&& from, const Format& format, rejects& aside) {
  return detail::with_reader(from, [&](reader& file) { return detail::fill_columns<T...>(file, format, &aside); });
}

template <class T, class Source>
matrix<T> read_matrix(Source&& from, const delimited& format) {
  return detail::with_reader(from, [&format](reader& file) { return detail::fill_matrix<T>(file, format, nullptr); });
}
template <class T, class Source>
matrix<T> read_matrix(Source&& from, const delimited& format, rejects& aside) {
  return detail::with_reader(from, [&](reader& file) { return detail::fill_matrix<T>(file, format, &aside); });
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
