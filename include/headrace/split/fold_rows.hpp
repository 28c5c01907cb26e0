// headrace/split/fold_rows.hpp: the rows of a file on several threads, folded. Not for users.
//
// Parts are cut where rows seem to end: what is before and after the next quotes mostly tells whether one is open
// (Ge, Li, Eilebrecht, Chandramouli and Kossmann, "Speculative Distributed CSV Data Parsing for Big Data Analytics",
// 2019). A cut in quotes leaves one open at the end of the part before, which is an error. So where no part has an
// error every cut was right, by induction from the start of the file, and no pass over the file was needed to find
// them. Where one has an error, the cuts are looked up, and if one up to its end was wrong, all is read again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "for_each.hpp"
#include "split_rows.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// What may be beside a quote at the edge of a field.
inline bool is_beside_field(char byte, const delimited& format) noexcept {
  return byte == format.separator || byte == '\n' || byte == format.quote ||
         (format.trims && (byte == ' ' || byte == '\t'));
}

// Whether a quote seems to be open before a text, by the first ones in it. If both are possible, none is.
inline bool seems_open(const char* first, const char* last, const delimited& format) noexcept {
  bool may_be_closed = true, may_be_open = true;  // before the text
  bool is_odd = false;                            // the number of quotes so far
  for (const char* at = first; at != last; ++at) {
    at = static_cast<const char*>(std::memchr(at, format.quote, static_cast<std::size_t>(last - at)));
    if (at == nullptr) break;
    const bool opens = at == first || is_beside_field(at[-1], format);
    const bool closes = at + 1 == last || at[1] == '\r' || is_beside_field(at[1], format);
    may_be_closed = may_be_closed && (is_odd ? closes : opens);
    may_be_open = may_be_open && (is_odd ? opens : closes);
    if (!may_be_closed || !may_be_open) return may_be_open;
    is_odd = !is_odd;
  }
  return false;
}

// cut_rows(), but only by what is near each place.
inline std::vector<std::uint64_t> guess_rows(const input_file& file, std::uint64_t begin, std::size_t parts,
                                             const delimited& format) {
  char text[16 * 1024];
  followed_rows rows(file, format);
  return cut_at(begin, file.end(), equal_parts(begin, file.end(), parts),
                [&](std::uint64_t offset, std::uint64_t& cut) {
                  const transfer got = read_at(file.descriptor(), text, sizeof text, offset - 1);
                  rows.start(offset - 1, row_ends(format, seems_open(text, text + got.size, format)));
                  cut = rows.find_end();
                });
}

#if defined(__cpp_exceptions)
constexpr bool can_guess = true;
#else
constexpr bool can_guess = false;  // an error aborts
#endif

// fold_parts() of rows, in so many parts.
template <class State, class F, class Combine>
State fold_row_parts(const input_file& file, const delimited& format, unsigned count, std::size_t parts,
                     const State& initial, F& f, Combine& combine) {
  std::vector<part_result<State>> results;
  const auto fold = [&](std::vector<reader> readers) { return fold_each(readers, count, initial, f, results); };
  const std::uint64_t begin = find_first_row(file, format);
  if (format.quote == '\0') {
    const std::size_t failed = fold(split_from(file, begin, parts, at::line));
    return combine_all(results, failed, combine);
  }
  const auto find_cuts = [&] { return cut_rows(file, begin, parts, format, count, piece_size); };
  const std::vector<std::uint64_t> cuts = can_guess ? guess_rows(file, begin, parts, format) : find_cuts();
  std::size_t failed = fold(make_parts(file, cuts));
  if (can_guess && failed != parts) {
    const std::vector<std::uint64_t> right = find_cuts();
    const auto end_of_failed = cuts.begin() + static_cast<std::ptrdiff_t>(failed + 2);
    if (!std::equal(cuts.begin(), end_of_failed, right.begin())) failed = fold(make_parts(file, right));
  }
  return combine_all(results, failed, combine);
}

template <class... T, class Format, class State, class F, class Combine>
State fold_rows(const input_file& file, const Format& format, threads on, const State& initial, F& f,
                Combine& combine) {
  const table_format<field_types<typename choose_row<T...>::type::fields>::count> kept(checked_format(format));
  const auto each = [&](State& state, reader& part, const auto& is_over) {
    for (auto& row : part.rows<T...>(format)) {
      if (unlikely(is_over())) return;
      f(state, row);
    }
  };
  const unsigned count = fold_threads(file, on);
  if (count <= 1) return fold_whole(file, initial, each);
  return fold_row_parts(file, kept.format, count, count_parts(file.size(), count), initial, each, combine);
}

}  // namespace detail

template <class... T, class Path, class Format, class State, class F, class Combine>
State for_each_row(const Path& path, const Format& format, threads on, const State& initial, F f, Combine combine) {
  static_assert(sizeof...(T) != 0, "name the types of the fields, or an aggregate: for_each_row<int, double>(...)");
  if constexpr (sizeof...(T) == 0) {
    return initial;
  } else {
    return detail::with_path(path, [&](const char* name) {
      return detail::fold_rows<T...>(detail::input_file(name), format, on, initial, f, combine);
    });
  }
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
