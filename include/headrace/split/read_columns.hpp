// headrace/split/read_columns.hpp: whole tables on several threads. Not for users.
//
// A piece begins after the first newline in it, without asking whether quotes are open there. The piece before ends
// where its own rows say. Where the two disagree the guess was wrong (a newline in quotes), and the piece is parsed
// again from the right place. So a result is right by induction from the start of the file, no pass over the file is
// needed to find the rows, and an error of a piece that began at a wrong place is never reported.
#pragma once

#include <cstdint>
#include <cstring>
#include <tuple>

#include "../columns/rows_impl.hpp"
#include "placed_column.hpp"
#include "read_ahead.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// What the threads share. The first table reads the header; the others go on from there.
class row_pieces {
 public:
  row_pieces(const input_file& whole, const delimited& in, const field_type* const* of, std::size_t count,
             const std::string_view* called, bool matrix = false)
      : file(whole),
        format(in),
        types(of),
        slots(count),
        names(called),
        is_matrix(matrix),
        head_reader_(whole.whole()),
        head(head_reader_, in, of, count, called, matrix) {}

  // False where there are no rows at all.
  bool find_rows() {
    if (!has_more(head, head.find_width())) return false;
    const source& text = reader_access::source_of(head_reader_);
    begin = next_row = text.offset_of(text.position);
    return true;
  }
  std::size_t count_pieces(std::size_t bytes) {
    size = bytes;
    return static_cast<std::size_t>((file.end() - begin + bytes - 1) / bytes);
  }
  // At most so many bytes have rows in them.
  std::uint64_t bytes() const noexcept { return file.end() - begin; }

  const input_file& file;
  const delimited& format;
  const field_type* const* types;
  std::size_t slots;
  const std::string_view* names;
  bool is_matrix;

 private:
  reader head_reader_;

 public:
  table head;
  std::uint64_t begin = 0;     // of the first row
  std::size_t size = 0;        // of a piece
  std::uint64_t next_row = 0;  // where the next piece in turn begins: belongs to whose turn it is
};

// Parses pieces. A row belongs to the piece that has its first byte. Sink: clear(), prepare(table), take(table) when
// rows wait in a table, claim() in the order of the file, and place() at any time after it.
template <class Sink>
class row_worker {
 public:
  template <class... Arguments>
  explicit row_worker(row_pieces& all, Arguments&... result)
      : all_(all),
        from_(all.file.part(all.begin, all.begin)),
        table_(from_, all.format, all.types, all.slots, all.names, all.is_matrix),
        sink_(result...) {
    table_.take_layout_of(all.head);
  }

  void prepare(std::size_t piece) {
    const std::uint64_t begin = all_.begin + std::uint64_t(piece) * all_.size;
    end_ = all_.file.end() - begin < all_.size ? all_.file.end() : begin + all_.size;
    first_ = nowhere;
    // So that a guess that takes text for an open quote does not go on to the end of the file.
    const std::uint64_t limit = all_.file.end() - end_ < piece_size ? all_.file.end() : end_ + piece_size;
    if (piece == 0) {
      set_range(from_, begin, limit);
    } else if (!aim_after_newline(begin, limit)) {
      return;
    }
    first_ = offset();
    parse();
    const bool went_too_far = limit != all_.file.end() && reader_access::source_of(from_).has_ended();
    if (went_too_far) first_ = nowhere;
  }

  void claim() {
    const std::uint64_t right = all_.next_row;
    if (right >= end_) {  // of a row that is longer than a piece
      sink_.clear();
      result_ = status::end;
    } else {
      if (right != first_) {
        set_range(from_, right, all_.file.end());
        parse();
      }
      if (result_ != status::ok && result_ != status::end) table_.fail(result_);
      all_.next_row = offset();
    }
    sink_.claim();
  }
  void place() noexcept { sink_.place(); }

 private:
  static constexpr std::uint64_t nowhere = ~std::uint64_t(0);

  std::uint64_t offset() noexcept {
    const source& text = reader_access::source_of(from_);
    return text.offset_of(text.position);
  }

  // False: no row begins here, or it has to be found out in turn.
  bool aim_after_newline(std::uint64_t begin, std::uint64_t limit) noexcept {
    source& text = reader_access::source_of(from_);
    set_range(from_, begin - 1, limit);
    if (text.refill() != status::ok) return false;
    const auto unread = static_cast<std::size_t>(text.end - text.position);
    const std::uint64_t wanted = end_ - begin;
    const char* const found =
        after_separator(text.position, text.position + (wanted < unread ? wanted : unread), at::line);
    if (found == nullptr) return false;
    text.position += found - text.position;
    return true;
  }

  // From here on all rows that begin before the end of the piece.
  void parse() {
    sink_.clear();
    table_.start_over(end_);
    result_ = status::ok;
    while (offset() < end_) {
      sink_.prepare(table_);
      result_ = table_.look_ahead();
      if (result_ != status::ok) return;
      sink_.take(table_);
      table_.take_all();
    }
  }

  row_pieces& all_;
  reader from_;
  table table_;
  Sink sink_;
  std::uint64_t end_ = 0;
  std::uint64_t first_ = nowhere;  // where the rows were taken to begin
  status result_ = status::ok;
};

// ---- into columns ----

// A column of a piece, and of the whole.
template <class T>
struct column_sink {
  column_filler<T> part;
  placed_column<T>* all;
  place_of<T> place{};

  void clear() noexcept { part.values.clear(); }
  void claim() { place = all->claim(part.values); }
  void put() noexcept { all->place(part.values, place); }
};
template <>
struct column_sink<skip> {
  column_filler<skip> part;
  placed_column<skip>* all;

  void clear() const noexcept {}
  void claim() const noexcept {}
  void put() const noexcept {}
};

template <class... T>
class columns_sink {
 public:
  explicit columns_sink(std::tuple<placed_column<T>...>& all) : columns_(make(all, std::index_sequence_for<T...>{})) {}

  void clear() noexcept {
    for_each([](auto& each) { each.clear(); });
  }
  void prepare(table& from) {
    for_each([&](auto& each) { each.part.prepare(from); });
  }
  void take(const table& from) {
    for_each([&](auto& each) { each.part.take(from); });
  }
  void claim() {
    for_each([](auto& each) { each.claim(); });
  }
  void place() noexcept {
    for_each([](auto& each) { each.put(); });
  }

 private:
  template <std::size_t... Index>
  static std::tuple<column_sink<T>...> make(std::tuple<placed_column<T>...>& all, std::index_sequence<Index...>) {
    return std::tuple<column_sink<T>...>(column_sink<T>{{{}, Index}, &std::get<Index>(all)}...);
  }
  template <class Action>
  void for_each(Action action) {
    std::apply([&](auto&... each) { (action(each), ...); }, columns_);
  }

  std::tuple<column_sink<T>...> columns_;
};

template <class T>
std::tuple<column<T>> result_of(placed_column<T>& all) {
  return std::tuple<column<T>>(static_cast<column<T>&&>(all.values));
}
inline std::tuple<> result_of(placed_column<skip>&) { return {}; }

// A regular file in pieces of `size` bytes.
template <class... T, class Format>
auto read_column_pieces(const input_file& file, const Format& format, unsigned count, std::size_t size) {
  using fields = field_types<std::tuple<T...>>;
  const table_format<fields::count> kept(checked_format(format));
  row_pieces rows(file, kept.format, fields::list, fields::count, kept.has_names ? kept.names : nullptr);
  const bool has_rows = rows.find_rows();
  const std::uint64_t most = has_rows ? rows.bytes() / rows.head.width() + 1 : 0;  // a separator after each field
  const std::size_t pieces = has_rows ? rows.count_pieces(size) : 0;
  std::tuple<placed_column<T>...> all{
      placed_column<T>(std::is_same_v<T, skip> ? std::uint64_t(0) : most, pieces, count)...};
  if (has_rows) in_turns<row_worker<columns_sink<T...>>>(pieces, count, rows, all);
  return std::apply([](auto&... each) { return std::tuple_cat(result_of(each)...); }, all);
}

template <class... T, class Format>
auto read_columns_of(const input_file& file, const Format& format, threads on) {
  const unsigned count = threads_for_pieces(file, on);
  if (count > 1) return read_column_pieces<T...>(file, format, count, piece_size);
  return with_one_reader(file, on, [&](reader& from) { return headrace::read_columns<T...>(from, format); });
}

// ---- into a matrix ----

template <class T>
class matrix_sink {
 public:
  explicit matrix_sink(placed_column<T>& all) noexcept : all_(all) {}

  void clear() noexcept { values_.clear(); }
  void prepare(table& from) { from.set_values(0, values_.make_room(from.matrix_room())); }
  void take(const table& from) { values_.set_size(values_.size() + from.ready() * from.width()); }
  void claim() { place_ = all_.claim(values_); }
  void place() noexcept { all_.place(values_, place_); }

 private:
  column<T> values_;
  placed_column<T>& all_;
  place_of<T> place_;
};

template <class T>
matrix<T> read_matrix_pieces(const input_file& file, const delimited& format, unsigned count, std::size_t size) {
  row_pieces rows(file, format, field_types<std::tuple<T>>::list, 1, nullptr, true);
  if (!rows.find_rows()) return {};
  const std::size_t pieces = rows.count_pieces(size);
  placed_column<T> all(rows.bytes() / 2 + 1, pieces, count);  // a digit and a separator
  in_turns<row_worker<matrix_sink<T>>>(pieces, count, rows, all);
  return matrix<T>(static_cast<column<T>&&>(all.values), rows.head.width());
}

template <class T>
matrix<T> read_matrix_of(const input_file& file, const delimited& format, threads on) {
  const unsigned count = threads_for_pieces(file, on);
  if (count > 1) return read_matrix_pieces<T>(file, format, count, piece_size);
  return with_one_reader(file, on, [&](reader& from) { return headrace::read_matrix<T>(from, format); });
}

}  // namespace detail

template <class... T, class Path, class Format>
auto read_columns(const Path& path, const Format& format, threads on) {
  return detail::with_path(
      path, [&](const char* name) { return detail::read_columns_of<T...>(detail::input_file(name), format, on); });
}

template <class T, class Path>
matrix<T> read_matrix(const Path& path, const delimited& format, threads on) {
  return detail::with_path(
      path, [&](const char* name) { return detail::read_matrix_of<T>(detail::input_file(name), format, on); });
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
