// headrace/detail/split/placed_column.hpp: a column to which several threads bring the values of their pieces. Not for
// users.
#pragma once

#include <cstdint>
#include <cstring>

#include "parts.hpp"
#include "threads.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// How much text a thread takes at once: what its buffer holds, less room for what goes on past the end of the piece. So
// a piece is one read.
constexpr std::size_t piece_size = area_size - page_size;
constexpr std::size_t least_pieces = 4;  // of a file that is worth a second thread

inline unsigned threads_for_pieces(const input_file& file, threads wish) noexcept {
  const std::uint64_t pieces = file.is_regular() ? file.size() / piece_size : 0;
  return threads_for(wish, pieces < least_pieces ? 0 : pieces);
}

// Where values are numbers, and there is room for as many as the file can hold, a thread is told in its turn where its
// values go, and copies them when others have theirs: that is when the memory is touched for the first time. On Linux
// the room is address space, which becomes memory where it is written. Else values are added in turn.
template <class T>
class placed_column {
 public:
  explicit placed_column(std::uint64_t most) noexcept {
#if defined(__linux__)
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (most > ~std::size_t(0) / (4 * sizeof(T)) || !is_mapped(static_cast<std::size_t>(most) * sizeof(T))) return;
      has_room_ = values.try_reserve(static_cast<std::size_t>(most));
    }
#else
    (void)most;
#endif
  }

  // In the turn of who brings `some`.
  T* claim(column<T>& some) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      T* const place = has_room_ ? values.data() + values.size() : values.make_room(some.size());
      if (!has_room_) copy(some, place);
      values.set_size(values.size() + some.size());
      return place;
    } else {
      for (T& value : some) values.push_back(static_cast<T&&>(value));
      return nullptr;
    }
  }
  // At any time after it.
  void place([[maybe_unused]] const column<T>& some, [[maybe_unused]] T* place) const noexcept {
    if (has_room_) copy(some, place);
  }

  column<T> values;

 private:
  static void copy(const column<T>& some, T* place) noexcept {
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (!some.empty()) std::memcpy(static_cast<void*>(place), some.data(), some.size() * sizeof(T));
    }
  }

  bool has_room_ = false;
};

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
