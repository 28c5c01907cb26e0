// headrace/columns/read_all.hpp: all values of a file into a column. Not for users.
#pragma once

#include "../columns.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

template <class T>
struct room_of {
  T* first;
  std::size_t count;
  T* data() const noexcept { return first; }
  std::size_t size() const noexcept { return count; }
};

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

template <class T>
column<T> read_every_value(reader& from) {
  static_assert(!std::is_same_v<T, std::string_view>,
                "a string_view is valid until the next read only: read words into std::string");
  column<T> all;
  if constexpr (is_integer<T> || is_float<T> || is_one_of<T, bool, char>) {
    for (;;) {
      T* const next = all.make_room(1);
      const std::size_t room = all.capacity() - all.size();
      const std::size_t done = from.read_some(room_of<T>{next, room});
      all.set_size(all.size() + done);
      if (done < room) return all;
    }
  } else {
    for (T value{}; from.try_read(value);) all.push_back(static_cast<T&&>(value));
    return all;
  }
}

}  // namespace detail

template <class T, class Source>
column<T> read_all(Source&& from) {
  return detail::with_reader(from, [](reader& file) { return detail::read_every_value<T>(file); });
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
