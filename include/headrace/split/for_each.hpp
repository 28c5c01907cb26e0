// headrace/split/for_each.hpp: the lines of a file, or its parts, on several threads. Not for users.
#pragma once

#include <optional>

#include "parts.hpp"
#include "threads.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// A part is worth a state of its own from half a MiB on. Several for each thread, so that one that is held up for a
// while has fewer.
constexpr std::uint64_t least_part = 512 * 1024;
constexpr unsigned parts_per_thread = 4;

// What became of a part.
template <class State>
struct part_result {
  std::optional<State> state;
  caught problem;
};

// Threads to fold a file by, and parts to fold it in by so many threads.
inline unsigned fold_threads(const input_file& file, threads on) noexcept {
  return threads_for(on, file.is_regular() ? file.size() / least_part : 0);
}
inline std::size_t count_parts(std::uint64_t size, unsigned count) noexcept {
  const std::uint64_t wanted = std::uint64_t(count) * parts_per_thread, most = size / least_part;
  return static_cast<std::size_t>(wanted < most ? wanted : most);
}

// Folds each part into a state of its own; returns the first part that failed, or their number. f(state, part,
// is_over): is_over() is true once a part before this one has failed, so that nobody wants the state. Parts before the
// first one that fails are all read to their end.
template <class State, class F>
std::size_t fold_each(std::vector<reader>& parts, unsigned count, const State& initial, F& f,
                      std::vector<part_result<State>>& results) {
  results = std::vector<part_result<State>>(parts.size());
  std::size_t next = 0, failed = parts.size();
  run_on_threads(count, [&](unsigned) {
    for (;;) {
      const std::size_t mine = __atomic_fetch_add(&next, std::size_t(1), __ATOMIC_RELAXED);
      const auto is_over = [&failed, mine] { return __atomic_load_n(&failed, __ATOMIC_RELAXED) < mine; };
      if (mine >= parts.size() || is_over()) return;
      part_result<State>& result = results[mine];
      result.problem.by([&] {
        State state = initial;
        reader part = static_cast<reader&&>(parts[mine]);  // whose buffer goes with it
        f(state, part, is_over);
        result.state.emplace(static_cast<State&&>(state));
      });
      if (!result.problem) continue;
      std::size_t first = __atomic_load_n(&failed, __ATOMIC_RELAXED);
      while (mine < first &&
             !__atomic_compare_exchange_n(&failed, &first, mine, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    }
  });
  return failed;
}

template <class State, class Combine>
State combine_all(std::vector<part_result<State>>& results, std::size_t failed, Combine& combine) {
  if (failed != results.size()) results[failed].problem.rethrow();
  State all = static_cast<State&&>(*results[0].state);
  for (std::size_t i = 1; i < results.size(); ++i) combine(all, static_cast<State&&>(*results[i].state));
  return all;
}

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
  std::vector<reader> parts = split_file(file, count_parts(file.size(), count), where);
  std::vector<part_result<State>> results;
  const std::size_t failed = fold_each(parts, count, initial, f, results);
  return combine_all(results, failed, combine);
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

}  // namespace detail

template <class F>
void for_each_line(const char* path, threads on, F f) {
  const auto each = [&f](detail::no_state&, std::string_view line) { f(line); };
  const auto combine = [](detail::no_state&, detail::no_state&&) {};
  (void)detail::fold_lines(detail::input_file(path), on, detail::no_state{}, each, combine);
}

template <class Path, class F, class>
void for_each_line(const Path& path, threads on, F f) {
  detail::with_path(path, [&](const char* name) { for_each_line(name, on, static_cast<F&&>(f)); });
}

template <class State, class F, class Combine>
State for_each_line(const char* path, threads on, const State& initial, F f, Combine combine) {
  return detail::fold_lines(detail::input_file(path), on, initial, f, combine);
}

template <class Path, class State, class F, class Combine, class>
State for_each_line(const Path& path, threads on, const State& initial, F f, Combine combine) {
  const auto use = [&](const char* name) {
    return detail::fold_lines(detail::input_file(name), on, initial, f, combine);
  };
  return detail::with_path(path, use);
}

template <class State, class F, class Combine>
State for_each_part(const char* path, threads on, at where, const State& initial, F f, Combine combine) {
  const auto each = [&f](State& state, reader& part, const auto&) { f(state, part); };
  return detail::fold_parts(detail::input_file(path), on, where, initial, each, combine);
}

template <class Path, class State, class F, class Combine, class>
State for_each_part(const Path& path, threads on, at where, const State& initial, F f, Combine combine) {
  const auto use = [&](const char* name) {
    return headrace::for_each_part(name, on, where, initial, static_cast<F&&>(f), static_cast<Combine&&>(combine));
  };
  return detail::with_path(path, use);
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
