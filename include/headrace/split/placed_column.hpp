// headrace/split/placed_column.hpp: a column to which several threads bring the values of their pieces. Not for
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

  // False for values that the file did not have room for when it was opened.
  bool has_room_for(const column<T>& some) const noexcept {
    return !has_room_ || some.size() <= values.capacity() - values.size();
  }
  // In the turn of who brings `some`, once for each piece.
  place_of<T> claim(column<T>& some) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      T* const first = has_room_ ? values.data() + values.size() : values.make_room(some.size());
      if (!has_room_) copy(some, first);
      values.set_size(values.size() + some.size());
      ++claimed_;
      return {first, has_room_ ? next_fresh_page(some.size()) : nullptr};
    } else {
      for (T& value : some) values.push_back(static_cast<T&&>(value));
      return {};
    }
  }
  // At any time after it.
  void place([[maybe_unused]] const column<T>& some, [[maybe_unused]] place_of<T> to) const noexcept {
#if defined(__linux__)
    if (to.fresh_page != nullptr) touch_pages(to.fresh_page, large_page);
#endif
    if (has_room_) copy(some, to.first);
  }

  column<T> values;

 private:
  // That a thread brings while another one's page is filled, which takes a fifth of a millisecond.
  static constexpr std::size_t pieces_ahead = 4;

  static void copy(const column<T>& some, T* first) noexcept {
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (!some.empty()) std::memcpy(static_cast<void*>(first), some.data(), some.size() * sizeof(T));
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

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
