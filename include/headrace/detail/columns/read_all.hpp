// headrace/detail/columns/read_all.hpp: all values of a file into a column. Not for users.
#pragma once

#include "../../columns.hpp"

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

}  // namespace detail

template <class T>
column<T> read_all(reader& from) {
  static_assert(!std::is_same_v<T, std::string_view>,
                "a string_view is valid until the next read only: read words into std::string");
  column<T> all;
  if constexpr (detail::is_integer<T> || detail::is_float<T> || detail::is_one_of<T, bool, char>) {
    for (;;) {
      T* const next = all.make_room(1);
      const std::size_t room = all.capacity() - all.size();
      const std::size_t done = from.read_some(detail::room_of<T>{next, room});
      all.set_size(all.size() + done);
      if (done < room) return all;
    }
  } else {
    for (T value{}; from.try_read(value);) all.push_back(static_cast<T&&>(value));
    return all;
  }
}

template <class T>
column<T> read_all(const char* path) {
  reader from(path);
  return read_all<T>(from);
}

template <class T, class Path, class>
column<T> read_all(const Path& path) {
  reader from(path);
  return read_all<T>(from);
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
