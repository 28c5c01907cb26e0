// headrace/split/read_whole.hpp: whole files: by one reader, which reads a pipe ahead by a thread; and into columns, on
// several threads. Not for users.
#pragma once

#include <cstdint>
#include <cstring>
#include <tuple>

#include "../detail/read_ahead.hpp"
#include "pieces.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// ---- one reader ----

#if HEADRACE_THREADS && !HEADRACE_WINDOWS

struct pipe_end {
  int descriptor;

  transfer read(const waker& wake, char* to, std::size_t size) const noexcept {
    return wake.wait_for(descriptor) ? read_some(descriptor, to, size) : transfer{};
  }
};

#endif

// Calls `action` with a reader of all of a file. One of a pipe has a thread that reads ahead, if there may be two.
template <class Action>
auto with_one_reader(const input_file& file, [[maybe_unused]] threads on, Action action) {
#if HEADRACE_THREADS && !HEADRACE_WINDOWS
  const bool can_wait = !file.is_regular() && file.error() == 0 && file.kind() != file_kind::directory;
  if (can_wait && threads_for(on, 2) > 1 && !has_own_limit(file.descriptor())) {
    enlarge_pipe(file.descriptor());
    read_ahead<pipe_end> ahead({file.descriptor()});
    if (ahead.has_started()) {
      reader from = reader::from(ahead, file.name());
      return action(from);
    }
  }
#endif
  reader from = file.whole();
  return action(from);
}

// ---- where the values of pieces go ----

// Where the values of a piece go, and a large page after it that has no memory yet.
template <class T>
struct place_of {
  T* first = nullptr;
  char* fresh_page = nullptr;
};

// Where values are numbers, and there is room for as many as the file can hold, a thread is told in its turn where its
// values go, and copies them when others have theirs: that is when the memory is touched for the first time. On Linux
// the room is address space, which becomes memory where it is written. Else values are added in turn.
//
// Two threads that write to the same fresh page at once both fill one with zeros, and one of these is thrown away: of
// pages of 2 MiB that was a tenth of the time of two threads. So each page is given to one thread, which has it filled
// before the others come to it: while they bring what their next few pieces hold.
template <class T>
class placed_column {
 public:
  // For at most `most` values, from so many pieces, by `count` threads.
  placed_column(std::uint64_t most, std::size_t pieces, unsigned count) noexcept : pieces_(pieces), threads_(count) {
#if defined(__linux__)
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (most > ~std::size_t(0) / (4 * sizeof(T)) || !is_mapped(static_cast<std::size_t>(most) * sizeof(T))) return;
      has_room_ = values.try_reserve(static_cast<std::size_t>(most));
      untouched_ =
          reinterpret_cast<char*>(values.data()) - reinterpret_cast<std::uintptr_t>(values.data()) % large_page;
    }
#else
    (void)most;
#endif
  }

  // Whether values are copied by place(); else by claim().
  bool has_room() const noexcept { return has_room_; }
  // False for values that the file did not have room for when it was opened.
  bool has_room_for(const column<T>& some) const noexcept {
    return !has_room_ || some.size() <= values.capacity() - values.size();
  }
  // In the turn of who brings `some`, once for each piece.
  place_of<T> claim(column<T>& some) { return claim(some.data(), some.size()); }
  place_of<T> claim(T* some, std::size_t count) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      T* const first = has_room_ ? values.data() + values.size() : values.make_room(count);
      if (!has_room_) copy(some, count, first);
      values.set_size(values.size() + count);
      ++claimed_;
      return {first, has_room_ ? next_fresh_page(count) : nullptr};
    } else {
      for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<T&&>(some[i]));
      return {};
    }
  }
  // At any time after it.
  void place(const column<T>& some, place_of<T> to) const noexcept { place(some.data(), some.size(), to); }
  void place([[maybe_unused]] const T* some, [[maybe_unused]] std::size_t count,
             [[maybe_unused]] place_of<T> to) const noexcept {
#if defined(__linux__)
    if (to.fresh_page != nullptr) touch_pages(to.fresh_page, large_page);
#endif
    if (has_room_) copy(some, count, to.first);
  }

  column<T> result() noexcept { return static_cast<column<T>&&>(values); }

  column<T> values;

 private:
  // A thread brings so many while another one's page is filled, which takes a fifth of a millisecond.
  static constexpr std::size_t pieces_ahead = 4;

  static void copy(const T* some, std::size_t count, T* first) noexcept {
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (count != 0) std::memcpy(static_cast<void*>(first), some, count * sizeof(T));
    }
  }

  // For who has just brought `brought` values; nullptr: enough has been given away. No page that the file, going on as
  // it began, will not need.
  char* next_fresh_page(std::size_t brought) noexcept {
    const double expected =
        static_cast<double>(values.size()) / static_cast<double>(claimed_) * static_cast<double>(pieces_);
    const double soon = static_cast<double>(values.size()) + static_cast<double>(brought) * pieces_ahead * threads_;
    const auto wanted = static_cast<std::size_t>(soon < expected ? soon : expected);
    if (reinterpret_cast<char*>(values.data() + (wanted < values.capacity() ? wanted : values.capacity())) <=
        untouched_) {
      return nullptr;
    }
    char* const page = untouched_;
    untouched_ += large_page;
    return page;
  }

  std::size_t pieces_;
  unsigned threads_;
  bool has_room_ = false;
  std::size_t claimed_ = 0;    // pieces
  char* untouched_ = nullptr;  // the first page that nobody was given
};

// Nothing of a field that is not looked at.
template <>
class placed_column<skip> {
 public:
  placed_column(std::uint64_t, std::size_t, unsigned) noexcept {}

  place_of<skip> claim(column<skip>&) const noexcept { return {}; }
  void place(const column<skip>&, const place_of<skip>&) const noexcept {}
  column<skip> result() const noexcept { return {}; }
};

// Texts: their bytes, and their ends, which count from the first byte of all.
template <>
struct place_of<text> {
  place_of<char> bytes;
  place_of<std::int64_t> ends;
  std::int64_t begin = 0;
};
template <>
class placed_column<text> {
 public:
  placed_column(std::uint64_t most, std::uint64_t most_bytes, std::size_t pieces, unsigned count)
      : bytes_(most_bytes, pieces, count), ends_(most + 1, pieces, count) {
    ends_.values.push_back(0);
  }

  place_of<text> claim(text_column& some) {
    const auto begin = static_cast<std::int64_t>(bytes_.values.size());
    if (!ends_.has_room()) move(some, begin);
    return {bytes_.claim(text_access::bytes(some)), ends_.claim(first_end(some), some.size()), begin};
  }
  void place(text_column& some, const place_of<text>& to) const noexcept {
    if (ends_.has_room()) move(some, to.begin);
    bytes_.place(text_access::bytes(some), to.bytes);
    ends_.place(first_end(some), some.size(), to.ends);
  }
  text_column result() {
    return {static_cast<column<char>&&>(bytes_.values), static_cast<column<std::int64_t>&&>(ends_.values)};
  }

 private:
  static std::int64_t* first_end(text_column& of) noexcept {
    return of.empty() ? nullptr : text_access::ends(of).data() + 1;
  }
  static void move(text_column& some, std::int64_t by) noexcept {
    for (std::int64_t& end : text_access::ends(some)) end += by;
  }

  placed_column<char> bytes_;
  placed_column<std::int64_t> ends_;
};

// ---- values ----

// One token each, so that a file of them may be cut after any blank.
template <class T>
constexpr bool is_of_one_token = is_integer<T> || is_float<T> || is_one_of<T, bool, char, std::string>;

// Reads pieces and puts their values into a column.
template <class T>
class value_worker {
 public:
  static constexpr bool takes_turns = true;

  value_worker(const input_file& file, std::size_t size, placed_column<T>& all) noexcept
      : file_(file), piece_(file, file.begin(), size), all_(all) {}

  void prepare(std::size_t piece) {
    values_.clear();
    piece_.choose(piece);
    result_ = piece_.cut_at_blanks();
    if (result_ == status::ok) result_ = fill_column(piece_.from, values_);
  }
  void claim() {
    if (result_ != status::end) reader_access::fail(piece_.from, result_, kind_of<T>);
    // A token that was in one piece, and in the next one when that was read.
    if (unlikely(!all_.has_room_for(values_))) {
      raise_input_error(message{file_.name(), ": cannot read: the file changed while it was being read"},
                        std::errc::io_error, {0, 0, 0});
    }
    place_ = all_.claim(values_);
  }
  void place() noexcept { all_.place(values_, place_); }

 private:
  const input_file& file_;
  piece_reader piece_;
  status result_ = status::ok;
  column<T> values_;
  placed_column<T>& all_;
  place_of<T> place_;
};

// A regular file in pieces of `size` bytes.
template <class T>
column<T> read_pieces(const input_file& file, unsigned count, std::size_t size) {
  const auto pieces = static_cast<std::size_t>((file.size() + size - 1) / size);
  const std::uint64_t most = std::is_same_v<T, char> ? file.size() : file.size() / 2 + 1;  // a digit and a blank
  placed_column<T> all(most, pieces, count);
  in_turns<value_worker<T>>(pieces, count, file, size, all);
  return all.result();
}

template <class T>
column<T> read_all(const input_file& file, threads on) {
  if constexpr (is_of_one_token<T>) {
    const unsigned count = threads_for_pieces(file, on);
    if (count > 1) return read_pieces<T>(file, count, piece_size);
  }
  return with_one_reader(file, on, [](reader& from) { return headrace::read_all<T>(from); });
}

// ---- into columns, and into a matrix ----

// The values of pieces, and where they go.
template <class... T>
class placed_fillers : public column_fillers<T...> {
 public:
  explicit placed_fillers(std::tuple<placed_column<T>...>& whole) noexcept : columns_(whole) {}

  void clear() noexcept {
    this->for_each([](auto& each) { each.values.clear(); });
  }
  bool take(const table& from) {
    column_fillers<T...>::take(from);
    return true;
  }
  void claim() { claim(std::index_sequence_for<T...>{}); }
  void place() noexcept { place(std::index_sequence_for<T...>{}); }

 private:
  template <std::size_t... Index>
  void claim(std::index_sequence<Index...>) {
    ((std::get<Index>(places_) = std::get<Index>(columns_).claim(std::get<Index>(this->all).values)), ...);
  }
  template <std::size_t... Index>
  void place(std::index_sequence<Index...>) noexcept {
    (std::get<Index>(columns_).place(std::get<Index>(this->all).values, std::get<Index>(places_)), ...);
  }

  std::tuple<placed_column<T>...>& columns_;
  std::tuple<place_of<T>...> places_;
};

// For the values of a table in so many pieces.
template <class T>
placed_column<T> make_placed(const row_pieces& rows, std::size_t pieces, unsigned count) {
  const std::uint64_t bytes = pieces == 0 ? 0 : rows.bytes();
  const std::uint64_t most = pieces == 0 ? 0 : bytes / rows.head.width() + 1;  // a separator after each field
  if constexpr (std::is_same_v<T, text>) {
    return {most, bytes, pieces, count};
  } else {
    return {most, pieces, count};
  }
}

// A regular file in pieces of `size` bytes.
template <class... T, class Format>
auto read_column_pieces(const input_file& file, const Format& format, unsigned count, std::size_t size,
                        rejects* aside = nullptr) {
  using fields = field_types<std::tuple<T...>>;
  const table_format<fields::count> kept(checked_format(format));
  row_pieces rows(file, kept.template layout<fields>(), aside);
  const bool has_rows = rows.find_rows();
  const std::size_t pieces = has_rows ? rows.count_pieces(size) : 0;
  std::tuple<placed_column<T>...> all{make_placed<T>(rows, pieces, count)...};
  if (has_rows) in_turns<row_worker<placed_fillers<T...>>>(pieces, count, rows, all);
  return std::apply([](auto&... each) { return std::tuple_cat(as_result<T>(each.result())...); }, all);
}

template <class... T, class Format>
auto read_columns_of(const input_file& file, const Format& format, threads on, rejects* aside = nullptr) {
  const unsigned count = threads_for_pieces(file, on);
  if (count > 1) return read_column_pieces<T...>(file, format, count, piece_size, aside);
  return with_one_reader(file, on, [&](reader& from) { return fill_columns<T...>(from, format, aside); });
}

template <class T>
matrix<T> read_matrix_pieces(const input_file& file, const delimited& format, unsigned count, std::size_t size,
                             rejects* aside = nullptr) {
  row_pieces rows(file, matrix_layout<T>(format), aside);
  if (!rows.find_rows()) return {};
  const std::size_t pieces = rows.count_pieces(size);
  std::tuple<placed_column<T>> all(placed_column<T>(rows.bytes() / 2 + 1, pieces, count));  // a digit and a separator
  in_turns<row_worker<placed_fillers<T>>>(pieces, count, rows, all);
  return matrix<T>(std::get<0>(all).result(), rows.head.width());
}

template <class T>
matrix<T> read_matrix_of(const input_file& file, const delimited& format, threads on, rejects* aside = nullptr) {
  const unsigned count = threads_for_pieces(file, on);
  if (count > 1) return read_matrix_pieces<T>(file, format, count, piece_size, aside);
  return with_one_reader(file, on, [&](reader& from) { return fill_matrix<T>(from, format, aside); });
}

}  // namespace detail

template <class T, class File, class>
column<T> read_all(const File& from, threads on) {
  return detail::read_all<T>(detail::open_input(from), on);
}

template <class... T, class Path, class Format>
auto read_columns(const Path& path, const Format& format, threads on) {
  return detail::read_columns_of<T...>(detail::open_path(path), format, on);
}
template <class... T, class Path, class Format>
auto read_columns(const Path& path, const Format& format, threads on, rejects& aside) {
  return detail::read_columns_of<T...>(detail::open_path(path), format, on, &aside);
}

template <class T, class Path>
matrix<T> read_matrix(const Path& path, const delimited& format, threads on) {
  return detail::read_matrix_of<T>(detail::open_path(path), format, on);
}
template <class T, class Path>
matrix<T> read_matrix(const Path& path, const delimited& format, threads on, rejects& aside) {
  return detail::read_matrix_of<T>(detail::open_path(path), format, on, &aside);
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
