// headrace/split/fold.hpp: the lines, parts and rows of a file on several threads, folded. Not for users.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "parts.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// A part is worth a state of its own from half a MiB on. Several for each thread, so that one that is held up for a
// while has fewer.
inline constexpr std::uint64_t least_part = 512 * 1024;
inline constexpr unsigned parts_per_thread = 4;

inline std::size_t count_parts(const input_file& file, unsigned threads) noexcept {
  const std::uint64_t wanted = std::uint64_t(threads) * parts_per_thread, most = file.size() / least_part;
  return static_cast<std::size_t>(wanted < most ? wanted : most);
}
inline unsigned fold_threads(const input_file& file, threads on) noexcept {
  return threads_for(on, file.is_regular() ? file.size() / least_part : 0);
}

// The states of parts, of which the first one has one.
template <class State, class Combine>
State combine_all(std::vector<std::optional<State>>& states, Combine& combine) {
  State all = static_cast<State&&>(*states[0]);
  for (std::size_t i = 1; i < states.size(); ++i) {
    if (states[i].has_value()) combine(all, static_cast<State&&>(*states[i]));
  }
  return all;
}

// ---- lines and parts ----

// Folds parts into a state each. f(state, part, is_over): is_over() is true once a part before this one has failed, so
// that nobody wants the state.
template <class State, class F>
class part_folder {
 public:
  static constexpr bool takes_turns = false;

  part_folder(turns& order, std::vector<reader>& parts, std::vector<std::optional<State>>& states, const State& initial,
              F& f) noexcept
      : order_(order), parts_(parts), states_(states), initial_(initial), f_(f) {}

  void prepare(std::size_t piece) {
    State state = initial_;
    reader part = static_cast<reader&&>(parts_[piece]);  // whose buffer goes with it
    f_(state, part, [this, piece] { return order_.is_over(piece); });
    states_[piece].emplace(static_cast<State&&>(state));
  }

 private:
  turns& order_;
  std::vector<reader>& parts_;
  std::vector<std::optional<State>>& states_;
  const State& initial_;
  F& f_;
};

// All of a file by one thread.
template <class State, class F>
State fold_whole(const input_file& file, const State& initial, F& f) {
  State state = initial;
  reader all = file.whole();
  f(state, all, [] { return false; });
  return state;
}

template <class State, class F, class Combine>
State fold_parts(const input_file& file, threads on, at where, const State& initial, F f, Combine& combine) {
  const unsigned count = fold_threads(file, on);
  if (count <= 1) return fold_whole(file, initial, f);
  std::vector<reader> parts = split_file(file, count_parts(file, count), where);
  std::vector<std::optional<State>> states(parts.size());
  turns order(parts.size());
  work_in_pieces<part_folder<State, F>>(order, count, order, parts, states, initial, f);
  order.rethrow();
  return combine_all(states, combine);
}

template <class State, class F, class Combine>
State fold_lines(const input_file& file, threads on, const State& initial, F& f, Combine& combine) {
  const auto each = [&f](State& state, reader& part, const auto& is_over) {
    for (std::string_view line; part.try_read_line(line);) {
      if (unlikely(is_over())) return;
      f(state, line);
    }
  };
  return fold_parts(file, on, at::line, initial, each, combine);
}

struct no_state {};

// ---- rows ----

// Row: row_types or an aggregate_row.
template <class Row, class State, class F>
class fold_sink {
 public:
  fold_sink(const State& initial, F& f, const turns& order) noexcept : initial_(initial), f_(f), order_(order) {}

  void clear() { state.emplace(initial_); }
  void prepare(table&) const noexcept {}
  bool take(const table& from) {
    constexpr auto fields = std::make_index_sequence<field_types<typename Row::fields>::count>();
    for (std::size_t i = from.taken(); i < from.ready(); ++i) {
      assign_fields(Row::tie(row_), from, i, fields);
      f_(*state, row_);
    }
    return !order_.is_over(piece);
  }

  std::optional<State> state;
  std::size_t piece = 0;

 private:
  const State& initial_;
  F& f_;
  const turns& order_;
  typename Row::row row_{};
};

// Where a part was taken to begin, and where the rows after it do; what f threw.
struct row_part {
  std::uint64_t first = ~std::uint64_t(0);  // nowhere
  std::uint64_t next = 0;
  std::uint64_t rows = 0;
  std::vector<row_failure> failures;  // rows to be set aside
  caught problem;
};

template <class Row, class State, class F>
class row_folder {
 public:
  static constexpr bool takes_turns = false;

  row_folder(turns& order, row_pieces& all, std::vector<row_part>& parts, std::vector<std::optional<State>>& states,
             const State& initial, F& f)
      : order_(order), parts_(parts), states_(states), rows_(all, initial, f, order) {}

  void prepare(std::size_t piece) {
    if (states_[piece].has_value()) return;
    rows_.sink.piece = piece;
    row_part& part = parts_[piece];
    part.problem.by([&] { rows_.guess(piece); });
    part.first = rows_.first();
    if (part.problem || rows_.has_failed()) return order_.fail(piece, {});
    if (!order_.is_over(piece) && part.first != rows_.nowhere) keep(piece);
  }
  // From where the part is known to begin.
  void fold_from(std::size_t piece, std::uint64_t offset) {
    rows_.sink.piece = piece;
    rows_.parse_from(piece, offset);
    if (rows_.has_failed()) rows_.fail();
    keep(piece);
  }

 private:
  void keep(std::size_t piece) {
    parts_[piece].next = rows_.next();
    parts_[piece].rows = rows_.rows();
    parts_[piece].failures.swap(rows_.failures());
    states_[piece].emplace(static_cast<State&&>(*rows_.sink.state));
  }

  turns& order_;
  std::vector<row_part>& parts_;
  std::vector<std::optional<State>>& states_;
  row_parser<fold_sink<Row, State, F>> rows_;
};

// The rows of a file in so many parts. Threads guess where each begins; then, in the order of the file, those that
// began at a wrong place are folded again. One that failed may have done so for that reason: if it did, the threads
// take up those after it once more, which had been left out.
template <class... T, class Format, class State, class F, class Combine>
State fold_row_parts(const input_file& file, const Format& format, unsigned count, std::size_t parts,
                     const State& initial, F& f, Combine& combine, rejects* aside = nullptr) {
  using row = typename choose_row<T...>::type;
  using fields = field_types<typename row::fields>;
  using folder = row_folder<row, State, F>;
  const table_format<fields::count> kept(checked_format(format));
  row_pieces rows(file, kept.template layout<fields>(), aside);
  if (!rows.find_rows() || rows.bytes() == 0) return initial;
  const std::size_t pieces = rows.count_pieces((rows.bytes() + parts - 1) / parts);
  std::vector<row_part> done(pieces);
  std::vector<std::optional<State>> states(pieces);
  turns always(pieces);
  folder again(always, rows, done, states, initial, f);
  for (std::size_t piece = 0; piece != pieces;) {
    turns order(pieces, piece);
    work_in_pieces<folder>(order, count, order, rows, done, states, initial, f);
    for (bool was_left_out = false; piece != pieces; ++piece) {
      if (rows.next_row >= rows.end_of(piece)) {  // of a row that is longer than a part
        states[piece].reset();
        continue;
      }
      const bool is_right = done[piece].first == rows.next_row && may_have(done[piece].failures.size(), rows);
      if (is_right) done[piece].problem.rethrow();
      if (!is_right || !states[piece].has_value()) {
        if (!states[piece].has_value() && was_left_out) break;
        was_left_out = !states[piece].has_value();
        again.fold_from(piece, rows.next_row);
      }
      if (aside != nullptr) rows.set_aside(done[piece].failures, done[piece].rows);
      rows.next_row = rows.is_full() ? file.end() : done[piece].next;
    }
  }
  return combine_all(states, combine);
}

template <class... T, class Format, class State, class F, class Combine>
State fold_rows(const input_file& file, const Format& format, threads on, const State& initial, F& f, Combine& combine,
                rejects* aside = nullptr) {
  static_assert(sizeof...(T) != 0, "name the types of the fields, or an aggregate: for_each_row<int, double>(...)");
  if constexpr (sizeof...(T) != 0) {
    const unsigned count = fold_threads(file, on);
    if (count > 1) {
      return fold_row_parts<T...>(file, format, count, count_parts(file, count), initial, f, combine, aside);
    }
    const auto each = [&](State& state, reader& from, const auto&) {
      for (auto& row : row_sequence<T...>(from, checked_format(format), aside)) f(state, row);
    };
    return fold_whole(file, initial, each);
  } else {
    return initial;
  }
}

}  // namespace detail

template <class Path, class F>
void for_each_line(const Path& path, threads on, F f) {
  const auto each = [&f](detail::no_state&, std::string_view line) { f(line); };
  const auto combine = [](detail::no_state&, detail::no_state&&) {};
  (void)detail::fold_lines(detail::open_path(path), on, detail::no_state{}, each, combine);
}

template <class Path, class State, class F, class Combine>
State for_each_line(const Path& path, threads on, const State& initial, F f, Combine combine) {
  return detail::fold_lines(detail::open_path(path), on, initial, f, combine);
}

template <class Path, class State, class F, class Combine>
State for_each_part(const Path& path, threads on, at where, const State& initial, F f, Combine combine) {
  const auto each = [&f](State& state, reader& part, const auto&) { f(state, part); };
  return detail::fold_parts(detail::open_path(path), on, where, initial, each, combine);
}

template <class... T, class Path, class Format, class State, class F, class Combine>
State for_each_row(const Path& path, const Format& format, threads on, const State& initial, F f, Combine combine) {
  return detail::fold_rows<T...>(detail::open_path(path), format, on, initial, f, combine);
}
template <class... T, class Path, class Format, class State, class F, class Combine>
State for_each_row(const Path& path, const Format& format, threads on, const State& initial, F f, Combine combine,
                   rejects& aside) {
  return detail::fold_rows<T...>(detail::open_path(path), format, on, initial, f, combine, &aside);
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
