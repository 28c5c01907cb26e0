// headrace/split/write_all.hpp: a range as text, formatted by several threads and written in order. Not for
// users.
#pragma once

#include <iterator>
#include <string>

#include "threads.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// Elements that are formatted at once: text of about a hundred KiB, which stays in a core's cache.
template <class T>
constexpr std::size_t elements_at_once = std::is_arithmetic_v<T>           ? 16384
                                         : is_contiguous<T> && !is_text<T> ? 16
                                                                           : 512;

template <class Iterator>
struct slice {
  using value_type = typename std::iterator_traits<Iterator>::value_type;
  Iterator first, last;
  Iterator begin() const { return first; }
  Iterator end() const { return last; }
};
// A slice of elements side by side, which the kernels take.
template <class T>
struct slice<T*> {
  using value_type = std::remove_cv_t<T>;
  T *first, *last;
  T* begin() const noexcept { return first; }
  T* end() const noexcept { return last; }
  T* data() const noexcept { return first; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(last - first); }
};

// Whether threads can take parts of a range: random access, and an end of the same type as the beginning.
template <class Range, class = void>
constexpr bool can_be_sliced = false;
template <class Range>
constexpr bool
    can_be_sliced<Range, std::enable_if_t<std::is_same_v<decltype(std::begin(std::declval<const Range&>())),
                                                         decltype(std::end(std::declval<const Range&>()))> &&
                                          std::is_base_of_v<std::random_access_iterator_tag,
                                                            typename std::iterator_traits<decltype(std::begin(
                                                                std::declval<const Range&>()))>::iterator_category>>> =
        true;

template <class Iterator>
class format_worker {
 public:
  static constexpr bool takes_turns = true;

  format_worker(writer& to, slice<Iterator> all, char after) noexcept : to_(to), all_(all), after_(after) {}

  void prepare(std::size_t piece) {
    const auto begin = static_cast<difference>(piece * at_once), size = all_.last - all_.first;
    const auto end = size - begin < difference(at_once) ? size : begin + difference(at_once);
    text_.clear();
    formatted_.write_range(slice<Iterator>{all_.first + begin, all_.first + end}, after_);
    formatted_ << after_;
    formatted_.flush();
  }
  void claim() { to_.write(text_); }  // (a file system takes one write to a file at a time, whoever asks)
  void place() const noexcept {}

  static constexpr std::size_t at_once = elements_at_once<typename slice<Iterator>::value_type>;

 private:
  using difference = typename std::iterator_traits<Iterator>::difference_type;

  writer& to_;
  slice<Iterator> all_;
  char after_;
  std::string text_;
  writer formatted_ = writer::into(text_);
};

template <class Iterator>
void write_slice(writer& to, slice<Iterator> all, threads on, char after) {
  using worker = format_worker<Iterator>;
  const auto size = static_cast<std::size_t>(all.last - all.first);
  const std::size_t pieces = size / worker::at_once + (size % worker::at_once != 0);
  in_turns<worker>(pieces, threads_for(on, pieces / 4), to, all, after);
}

}  // namespace detail

template <class Range>
void write_all(writer& to, const Range& range, threads on, char after) {
  if constexpr (detail::is_contiguous<const Range>) {
    if (detail::is_gapless(range)) {
      const auto* const first = std::data(range);
      return detail::write_slice(to, detail::slice<decltype(first + 0)>{first, first + std::size(range)}, on, after);
    }
  }
  if constexpr (detail::can_be_sliced<Range>) {
    detail::write_slice(to, detail::slice<decltype(std::begin(range))>{std::begin(range), std::end(range)}, on, after);
  } else if constexpr (detail::is_range<const Range>) {
    for (const auto& element : range) to << element << after;
  } else if constexpr (detail::is_range<Range>) {
    Range copy(range);
    for (const auto& element : copy) to << element << after;
  } else {
    const auto size = static_cast<std::size_t>(std::size(range));
    for (std::size_t i = 0; i < size; ++i) to << detail::element_at(range, i, 0) << after;
  }
}

template <class Path, class Range, class>
void write_all(const Path& path, const Range& range, threads on, char after) {
  writer to(path);
  write_all(to, range, on, after);
  to.close();
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
