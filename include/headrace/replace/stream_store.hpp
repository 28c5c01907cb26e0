// headrace/replace/stream_store.hpp: standard string streams that wait to be used again. Not for users.
#pragma once

#include <cstddef>
#include <ios>
#include <istream>
#include <type_traits>

#include "../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// The streams of a thread. They are as good as new but for their text, and have the "C" locale. It needs neither a
// constructor nor a destructor, so it may be used at any time; its streams are deleted when the thread ends.
template <class Stream>
class stream_store {
 public:
  // nullptr where there is none.
  static Stream* take() noexcept {
    stream_store& own = of_thread;
    return own.count_ != 0 ? own.held_[--own.count_] : nullptr;
  }

  // Stores a stream, or deletes it. `extent` is the size of its buffer.
  static void give(Stream* stream, std::size_t extent) {
    stream_store& own = of_thread;
    if (unlikely(!own.is_watched_)) own.watch_the_end();
    if (own.count_ == most || extent > most_bytes || own.is_closed_) {
      delete stream;
      return;
    }
    stream->clear();
    if constexpr (std::is_base_of_v<std::istream, Stream>) {
      if (stream->gcount() != 0) stream->read(nullptr, 0);
    }
    stream->flags(std::ios_base::skipws | std::ios_base::dec);
    stream->precision(6);
    stream->width(0);
    if (stream->fill() != ' ') stream->fill(' ');
    own.held_[own.count_++] = stream;
  }

 private:
  static constexpr int most = 8;
  static constexpr std::size_t most_bytes = 65536;

  struct end_of_thread {
    ~end_of_thread() {
      of_thread.is_closed_ = true;
      while (Stream* const stream = take()) delete stream;
    }
  };
  HEADRACE_COLD void watch_the_end() {
    is_watched_ = true;
    static thread_local end_of_thread watched;
    static_cast<void>(watched);
  }

  static thread_local stream_store of_thread;
  Stream* held_[most] = {};
  int count_ = 0;
  bool is_watched_ = false;
  bool is_closed_ = false;
};
template <class Stream>
thread_local stream_store<Stream> stream_store<Stream>::of_thread;

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
