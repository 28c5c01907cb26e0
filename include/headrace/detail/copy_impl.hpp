// headrace/detail/copy_impl.hpp: the two ends of a copy, and copy() itself. Not for users.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "../config.hpp"
#include "../copy.hpp"
#include "../error.hpp"
#include "copier.hpp"
#include "copy_calls.hpp"
#include "file.hpp"
#include "stdio.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// A descriptor may not be open for what it is given for: an empty source would not notice, and a sink would have been
// emptied.
#if defined(O_ACCMODE) && defined(F_GETFL)
inline int access_of(int descriptor) noexcept { return ::fcntl(descriptor, F_GETFL) & O_ACCMODE; }
inline bool can_read(int descriptor) noexcept { return access_of(descriptor) != O_WRONLY; }
inline bool can_write(int descriptor) noexcept { return access_of(descriptor) != O_RDONLY; }
#else
inline bool can_read(int) noexcept { return true; }
inline bool can_write(int) noexcept { return true; }
#endif

// Both ends of a pipe are one file too. A terminal may well be copied to itself.
inline bool is_same_file(const file_info& first, const file_info& second) noexcept {
  if (first.kind != second.kind || (first.kind != file_kind::regular && first.kind != file_kind::pipe)) return false;
  return first.inode != 0 && first.inode == second.inode && first.device == second.device;
}

// Where files have no numbers: whether two paths name one place.
inline bool is_same_path([[maybe_unused]] const char* first, [[maybe_unused]] const char* second) noexcept {
#if HEADRACE_WINDOWS
  char full_first[_MAX_PATH], full_second[_MAX_PATH];
  return ::_fullpath(full_first, first, sizeof full_first) != nullptr &&
         ::_fullpath(full_second, second, sizeof full_second) != nullptr && ::_stricmp(full_first, full_second) == 0;
#else
  return false;  // is_same_file has told already
#endif
}

// A source that cannot be read at all has a hint instead of a count, which would be 0.
[[noreturn]] HEADRACE_COLD inline void raise_copy_input_error(const char* name, int code, std::uint64_t arrived) {
  const char* const hint = reading_hint(code);
  raise_input_error(
      *hint == '\0' ? output_message(name, "read", code, arrived) : input_message(name, "read", code, hint),
      static_cast<std::errc>(code), {arrived, 0, 0});
}

// Adds to the system's own words for an error of write(2), or adds nothing.
constexpr const char* writing_hint(int code) noexcept {
  if (code == EINVAL) return "; nothing can be written to it: an epoll descriptor, perhaps)";
  if (code == EDESTADDRREQ || code == ENOTCONN) return "; the socket has to be connected first)";
  return code == EBADF ? "; it is closed, or open for reading only)" : ")";
}

[[noreturn]] HEADRACE_COLD inline void raise_copy_output_error(const char* name, int code, std::uint64_t arrived) {
  raise_output_error(output_message(name, "write", code, arrived, writing_hint(code)), static_cast<std::errc>(code),
                     arrived);
}

// A descriptor that is closed when an error leaves the function; close() reports.
struct owned_descriptor {
  int number = -1;
  bool owned = false;

  owned_descriptor() = default;
  owned_descriptor(const owned_descriptor&) = delete;
  owned_descriptor& operator=(const owned_descriptor&) = delete;
  ~owned_descriptor() {
    if (owned) close_file(number);
  }
  int close() noexcept {
    const bool ours = owned;
    owned = false;
    return ours ? close_file(number) : 0;
  }
};

template <class Object, class Calls>
void copy_end<Object, Calls>::open_as(open_mode mode, owned_descriptor& into) const {
  into.number = descriptor_;
  if (!is_path_) return;
  if (name_.is_complete()) into.number = open_file(name(), mode);
  into.owned = into.number >= 0;
  if (into.owned) return;
  const int error = name_.is_complete() ? errno : ENOMEM;
  if constexpr (is_source) {
    raise_input_system_error(name(), "open", error);
  } else {
    raise_output_error(name(), "open", error, 0);
  }
}

}  // namespace detail

inline void copy_source::open(detail::owned_descriptor& into) const {
  open_as(detail::open_mode::read, into);
  if ((object_ != nullptr || stream_ != nullptr) && into.number < 0) return;  // memory
  const detail::file_info info = detail::describe(into.number);
  if (info.error != 0) detail::raise_copy_input_error(name(), info.error, 0);
  if (!detail::can_read(into.number)) detail::raise_copy_input_error(name(), EBADF, 0);
  if (info.kind == detail::file_kind::directory) detail::raise_input_system_error(name(), "read", EISDIR);
  if (info.kind != detail::file_kind::regular && object_ != nullptr) calls_->flush_tied(object_);
}

// Copies what the reader holds, which goes first. True where the descriptor gives what comes next; of memory, and of a
// FILE* that does not tell what it holds, the reader itself hands out all there is.
template <class Calls>
bool copy_source::empty_reader(detail::copier<Calls>& work) const {
  for (;;) {
    const std::string_view held = calls_->buffered(object_);
    const std::size_t size = held.size() < work.remaining() ? held.size() : static_cast<std::size_t>(work.remaining());
    if (size > 0) {
      calls_->consume(object_, work.put(held.data(), size));
      work.report();
    }
    if (!work.going()) return false;
    if (calls_->can_bypass_buffer(object_)) return true;
    if (!calls_->fetch_more(object_)) return false;
  }
}

template <class Calls>
void copy_source::move_to(detail::copier<Calls>& work) const {
  if (object_ != nullptr) {
    if (!empty_reader(work)) return;
    const std::uint64_t before = work.copied();
    work.run();
    return calls_->skip_external(object_, work.copied() - before);
  }
  if (stream_ != nullptr && !detail::sync_descriptor(stream_)) {
    // The FILE hands out what it holds; and the rest, if it cannot tell when it is empty.
    const auto pull = [this](char* to, std::size_t size) {
      const std::size_t got = std::fread(to, 1, size, stream_);
      return detail::transfer{got, got == 0 && std::ferror(stream_) != 0 ? errno : 0};
    };
    const std::int64_t held = descriptor_ < 0 ? -1 : detail::held_by_stdio(stream_);
    const std::size_t lost = work.run_pulling(pull, held < 0 ? UINT64_MAX : static_cast<std::uint64_t>(held));
    if (lost != 0) detail::seek_stream(stream_, -static_cast<std::int64_t>(lost), SEEK_CUR);
    if (held < 0 || !work.going()) return;
  }
  work.run();
  if (stream_ != nullptr) detail::sync_stream(stream_);
}

inline void copy_sink::open(detail::owned_descriptor& into, const copy_source& from, int source) const {
  if (stream_ != nullptr && std::fflush(stream_) != 0) detail::raise_output_error(name(), "write", errno, 0);
  open_as(detail::open_mode::keep, into);
  if (object_ != nullptr) {
    calls_->flush(object_);
    if (descriptor_ < 0) return;  // memory
  }
  const detail::file_info to = detail::describe(into.number);
  if (to.error != 0) detail::raise_copy_output_error(name(), to.error, 0);
  if (!detail::can_write(into.number)) detail::raise_copy_output_error(name(), EBADF, 0);
  if (detail::is_same_file(detail::describe(source), to) ||
      (is_path_ && from.is_path_ && detail::is_same_path(from.name(), name()))) {
    detail::raise_output_error(detail::message{name(), ": cannot copy a file onto itself (0 bytes arrived)"},
                               std::errc::invalid_argument, 0);
  }
  if (is_path_ && to.kind == detail::file_kind::regular && to.size > 0) {
    const int error = detail::copy_calls{}.resize(into.number, 0);
    if (error != 0) detail::raise_output_error(name(), "truncate", error, 0);
  }
}

// Moves the sink's FILE or writer on by what arrived, also when a reader throws.
template <class Calls>
struct copy_sink::synchronised {
  const copy_sink& to;
  const detail::copier<Calls>& work;
  ~synchronised() {
    if (to.stream_ != nullptr) detail::sync_stream(to.stream_);
    if (to.object_ != nullptr && to.descriptor_ >= 0) to.calls_->count(to.object_, work.copied());
  }
};

template <class Calls>
std::uint64_t copy(copy_source from, copy_sink to, const copy_options& options) {
  detail::owned_descriptor source, sink;
  from.open(source);
  to.open(sink, from, source.number);
  const detail::binary_mode bytes_in(source.number), bytes_out(sink.number);
  Calls calls;
  detail::copier<Calls> work(calls, source.number, sink.number, options);
  if (to.object_ != nullptr && to.descriptor_ < 0) work.deliver_to(to.calls_->deliver, to.object_);
  {
    const copy_sink::synchronised<Calls> when_done{to, work};
    from.move_to(work);
  }
  work.rethrow();

  using side = typename detail::copier<Calls>::side;
  if (work.failed() == side::source) detail::raise_copy_input_error(from.name(), work.error(), work.copied());
  if (work.failed() == side::sink) detail::raise_copy_output_error(to.name(), work.error(), work.copied());
  const int error = sink.close();
  if (error != 0) detail::raise_output_error(to.name(), "close", error, work.copied());
  return work.copied();
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
