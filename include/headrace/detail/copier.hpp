// headrace/detail/copier.hpp: moves the bytes of a copy, by the fastest route that does not refuse. Not for users.
//
// Every route may refuse, or stop half-way: the copy then goes on from that byte by reading and writing.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "../config.hpp"
#include "../copy.hpp"
#include "../error.hpp"
#include "copy_calls.hpp"
#include "file.hpp"
#include "stdio.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// How large the buffer is, by what is expected to be copied. 1 MiB is up to 1.1 times as fast as 256 KiB into ext4, and
// the same elsewhere; a short copy would not earn back the page faults of so large a buffer.
constexpr std::size_t copy_buffer_size_for(std::uint64_t expected) noexcept {
  constexpr std::size_t kib = 1024, mib = 1024 * kib;
  return expected <= 1 * mib ? 64 * kib : expected < 8 * mib ? 256 * kib : 1 * mib;
}

inline constexpr std::size_t copy_reserve_min = 256 * 1024;  // less is not worth a system call
inline constexpr std::size_t copy_pipe_size = 1024 * 1024;
inline constexpr std::size_t copy_kernel_block = 16 * 1024 * 1024;  // one call: what progress waits for

// The state of one copy between two descriptors.
template <class Calls>
class copier {
 public:
  enum class side : unsigned char { none, source, sink };

  copier(Calls& calls, int from, int to, const copy_options& options) noexcept
      : calls_(calls), options_(options), from_(from), to_(to), goal_(options.limit) {}
  copier(const copier&) = delete;
  copier& operator=(const copier&) = delete;
  ~copier() { std::free(allocation_); }

  std::uint64_t copied() const noexcept { return copied_; }
  bool going() const noexcept { return !ended_ && failed_ == side::none && copied_ < goal_; }
  side failed() const noexcept { return failed_; }
  int error() const noexcept { return error_; }

  // A sink that is no descriptor: `take` gets every block, and says how much of it arrived.
  void deliver_to(transfer (*take)(void* object, const char* from, std::size_t size) noexcept, void* object) noexcept {
    take_ = take;
    taker_ = object;
  }

  std::uint64_t remaining() const noexcept { return goal_ - copied_; }

  // Tells the user's on_progress. What it throws ends the copy like a `false`, and waits for rethrow().
  void report() noexcept {
    if (options_.on_progress != nullptr) call_progress();
  }
  void rethrow() const {
#if defined(__cpp_exceptions)
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
#endif
  }

  // Writes bytes that somebody has read before; returns how many of them arrived.
  std::size_t put(const char* from, std::size_t size);

  // Everything else, from descriptor to descriptor.
  void run();

  // Blocks that `pull(char*, size_t)` hands out as a transfer, `size` bytes in all or until it gives 0. Returns how
  // many bytes it handed out that did not arrive.
  template <class Pull>
  std::size_t run_pulling(Pull pull, std::uint64_t size);

 private:
  std::size_t block(std::size_t size) const noexcept {
    return remaining() < size ? static_cast<std::size_t>(remaining()) : size;
  }
  void fail(side where, int error) noexcept {
    failed_ = where;
    error_ = error;
  }
  void call_progress() noexcept;
  void wait_for(int from, int to) noexcept;
  bool allocate(std::uint64_t expected) noexcept;
  template <class Move>
  transfer insist(Move move, int from, int to) noexcept;
  template <class Move>
  void move_inside_kernel(Move move) noexcept;
  void read_and_write();
  void return_to_source(std::uint64_t size) noexcept;
  void splice_through_pipe();
  void drain(int pipe, std::size_t size);
  void copy_between_files(const file_info& source, const file_info& sink);
  void move_part();
  void copy_parts_between_holes();
  bool skip_hole(std::int64_t from, std::int64_t to) noexcept;
  void end_last_hole() noexcept;

  Calls& calls_;
  const copy_options& options_;
  int from_, to_;
  std::uint64_t goal_;
  std::uint64_t copied_ = 0;
  void* allocation_ = nullptr;
  char* buffer_ = nullptr;
  std::size_t buffer_size_ = 0;
  transfer (*take_)(void*, const char*, std::size_t) noexcept = nullptr;
  void* taker_ = nullptr;
#if defined(__cpp_exceptions)
  std::exception_ptr thrown_;
#endif
  bool ended_ = false;
  bool kernel_copies_ = false;  // between files: try copy_file_range first
  bool left_holes_ = false;
  int error_ = 0;
  side failed_ = side::none;
};

template <class Calls>
HEADRACE_COLD void copier<Calls>::call_progress() noexcept {
#if defined(__cpp_exceptions)
  try {
    if (!options_.on_progress(copied_, options_.context)) ended_ = true;
  } catch (...) {
    thrown_ = std::current_exception();
    ended_ = true;
  }
#else
  if (!options_.on_progress(copied_, options_.context)) ended_ = true;
#endif
}

template <class Calls>
HEADRACE_COLD void copier<Calls>::wait_for(int from, int to) noexcept {
  if (from >= 0) calls_.wait(from, readiness::to_read);
  if (to >= 0) calls_.wait(to, readiness::to_write);
}

// One call that moves bytes; where it would block, waits for the ends that are given (-1: not for this one).
template <class Calls>
template <class Move>
transfer copier<Calls>::insist(Move move, int from, int to) noexcept {
  return detail::insist(move, [&] { wait_for(from, to); });
}

template <class Calls>
std::size_t copier<Calls>::put(const char* from, std::size_t size) {
  std::size_t written = 0;
  while (written < size && failed_ == side::none) {
    const char* const rest = from + written;
    const std::size_t rest_size = size - written;
    const auto once = [&] { return calls_.write(to_, rest, rest_size); };
    const transfer done = take_ != nullptr ? take_(taker_, rest, rest_size) : insist(once, -1, to_);
    written += done.size;
    // A device that takes nothing would loop for ever.
    if (done.error != 0 || done.size == 0) fail(side::sink, done.error != 0 ? done.error : EIO);
  }
  copied_ += written;
  return written;
}

// Page-aligned: the kernel copies whole pages faster.
template <class Calls>
bool copier<Calls>::allocate(std::uint64_t expected) noexcept {
  if (buffer_ != nullptr) return true;
  constexpr std::size_t page = 4096;
  buffer_size_ = copy_buffer_size_for(expected);
  if (expected < buffer_size_) buffer_size_ = (static_cast<std::size_t>(expected) / page + 1) * page;
  allocation_ = std::malloc(buffer_size_ + page);
  if (allocation_ == nullptr) {
    fail(side::source, ENOMEM);
    return false;
  }
  buffer_ = static_cast<char*>(allocation_) + (page - reinterpret_cast<std::uintptr_t>(allocation_) % page);
  return true;
}

template <class Calls>
void copier<Calls>::read_and_write() {
  if (!going() || !allocate(remaining())) return;
  while (going()) {
    const auto once = [&] { return calls_.read(from_, buffer_, block(buffer_size_)); };
    const transfer got = insist(once, from_, -1);
    if (got.error != 0) return fail(side::source, got.error);
    if (got.size == 0) {
      ended_ = true;
      return;
    }
    const std::size_t written = put(buffer_, got.size);
    if (written < got.size) return return_to_source(got.size - written);
    report();
  }
}

template <class Calls>
template <class Pull>
std::size_t copier<Calls>::run_pulling(Pull pull, std::uint64_t size) {
  if (size == 0 || !going() || !allocate(UINT64_MAX)) return 0;
  while (going() && size > 0) {
    const std::size_t max = size < buffer_size_ ? static_cast<std::size_t>(size) : buffer_size_;
    const transfer got = pull(buffer_, block(max));
    if (got.error != 0) fail(side::source, got.error);
    if (got.size == 0) {
      ended_ = true;
      break;
    }
    size -= got.size;
    const std::size_t written = put(buffer_, got.size);
    if (written < got.size) return got.size - written;
    report();
  }
  return 0;
}

// Steps back over bytes that were read and did not arrive. A pipe cannot; they are lost, as with any reader.
template <class Calls>
void copier<Calls>::return_to_source(std::uint64_t size) noexcept {
  calls_.seek(from_, -static_cast<std::int64_t>(size), SEEK_CUR);
}

// A call that refuses (EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM of a seccomp filter, EBADF of an appending sink, ...)
// moved nothing, so the rest is read and written instead. So is any other error: only then is it clear which end it
// came from. 0 may mean the end, or a file that has no size (/proc): a read tells.
template <class Calls>
template <class Move>
void copier<Calls>::move_inside_kernel(Move move) noexcept {
  while (going()) {
    const auto once = [&] { return move(block(copy_kernel_block)); };
    const transfer done = insist(once, from_, to_);
    if (done.error != 0 || done.size == 0) return;
    copied_ += done.size;
    report();
  }
}

template <class Calls>
void copier<Calls>::splice_through_pipe() {
  int ends[2];
  if (calls_.make_pipe(ends) != 0) return;
  enlarge_pipe(ends[1], static_cast<int>(copy_pipe_size));
  bool accepted = true;
  while (accepted && going()) {
    const auto fill = [&] { return calls_.splice(from_, ends[1], block(copy_pipe_size)); };
    const transfer filled = insist(fill, from_, -1);
    if (filled.error != 0 || filled.size == 0) break;
    std::size_t rest = filled.size;
    while (accepted && rest > 0) {
      const auto pour = [&] { return calls_.splice(ends[0], to_, rest); };
      const transfer poured = insist(pour, -1, to_);
      accepted = poured.error == 0 && poured.size > 0;
      rest -= poured.size;
      copied_ += poured.size;
    }
    if (rest > 0) drain(ends[0], rest);
    if (failed_ == side::none) report();
  }
  close_file(ends[0]);
  close_file(ends[1]);
}

// The sink refused to be spliced to while bytes were in our pipe: they are written before anything else.
template <class Calls>
void copier<Calls>::drain(int pipe, std::size_t size) {
  if (!allocate(UINT64_MAX)) return return_to_source(size);
  while (size > 0 && failed_ == side::none) {
    const auto once = [&] { return calls_.read(pipe, buffer_, size < buffer_size_ ? size : buffer_size_); };
    const transfer got = insist(once, pipe, -1);
    if (got.error != 0 || got.size == 0) {
      fail(side::source, got.error != 0 ? got.error : EIO);
      break;
    }
    size -= put(buffer_, got.size);
  }
  if (size > 0) return_to_source(size);
}

template <class Calls>
void copier<Calls>::move_part() {
  if (kernel_copies_) {
    move_inside_kernel([this](std::size_t size) { return calls_.copy_range(from_, to_, size); });
  }
  read_and_write();
}

template <class Calls>
void copier<Calls>::copy_between_files(const file_info& source, const file_info& sink) {
  bool appending = false;
#if defined(O_APPEND) && defined(F_GETFL)
  appending = (::fcntl(to_, F_GETFL) & O_APPEND) != 0;
#endif
  const seek_result from = calls_.seek(from_, 0, SEEK_CUR);
  const seek_result to = calls_.seek(to_, 0, SEEK_CUR);
  if (from.error != 0 || to.error != 0) return read_and_write();
  const auto start = static_cast<std::uint64_t>(from.offset);
  const std::int64_t target = appending ? static_cast<std::int64_t>(sink.size) : to.offset;
  const file_system_traits traits = file_system_of(to_);
  kernel_copies_ = traits.shares_bytes && !appending;

  if (source.allocated < source.size && !appending && static_cast<std::uint64_t>(to.offset) >= sink.size) {
    copy_parts_between_holes();
    return move_part();  // what was added to the source meanwhile, or all of it where holes cannot be found
  }
  std::uint64_t expected = source.size > start ? source.size - start : 0;
  if (expected > remaining()) expected = remaining();
  if (expected > 0 && !kernel_copies_ && !allocate(expected)) return;
  // Reserved blocks lie beyond the end of the file: they never make it longer than what arrived.
  const bool reserved = traits.likes_reserve && !kernel_copies_ && expected > copy_reserve_min &&
                        calls_.reserve(to_, target, static_cast<std::int64_t>(expected)) == 0;
  const std::uint64_t before = copied_;  // by what a reader held
  move_part();
  if (reserved && copied_ - before < expected) calls_.resize(to_, static_cast<std::int64_t>(describe(to_).size));
}

// data, hole, data, hole: copies each part that holds data and skips the rest in both files.
template <class Calls>
void copier<Calls>::copy_parts_between_holes() {
  const std::uint64_t goal = goal_;
  while (going()) {
    const seek_result here = calls_.seek(from_, 0, SEEK_CUR);
    seek_result data = calls_.next_data(from_, here.offset);
    const bool only_hole = data.error == ENXIO;  // no more data: a hole up to the end
    if (only_hole) data = calls_.seek(from_, 0, SEEK_END);
    if (here.error != 0 || data.error != 0 || data.offset < here.offset) {
      calls_.seek(from_, here.offset, SEEK_SET);
      return;
    }
    if (!skip_hole(here.offset, data.offset) || only_hole || !going()) return;

    const seek_result hole = calls_.next_hole(from_, data.offset);
    calls_.seek(from_, data.offset, SEEK_SET);
    if (hole.error != 0 || hole.offset <= data.offset) return;
    const auto size = static_cast<std::uint64_t>(hole.offset - data.offset);
    if (size < remaining()) goal_ = copied_ + size;
    move_part();
    goal_ = goal;
  }
}

// Skips at most what is left to copy. The sink's new bytes are a hole once something follows, or end_last_hole() ran.
template <class Calls>
bool copier<Calls>::skip_hole(std::int64_t from, std::int64_t to) noexcept {
  auto size = static_cast<std::uint64_t>(to - from);
  if (size > remaining()) size = remaining();
  const auto step = static_cast<std::int64_t>(size);
  const seek_result moved = calls_.seek(from_, from + step, SEEK_SET);
  const seek_result sink = moved.error == 0 ? calls_.seek(to_, step, SEEK_CUR) : moved;
  if (sink.error != 0) {
    calls_.seek(from_, from, SEEK_SET);
    return false;
  }
  copied_ += size;
  left_holes_ = left_holes_ || size > 0;
  report();
  return true;
}

// A hole at the end: the sink becomes as long as its position says.
template <class Calls>
void copier<Calls>::end_last_hole() noexcept {
  if (!left_holes_) return;
  const seek_result end = calls_.seek(to_, 0, SEEK_CUR);
  if (end.error != 0 || static_cast<std::uint64_t>(end.offset) <= describe(to_).size) return;
  const int error = calls_.resize(to_, end.offset);
  if (error != 0 && failed_ == side::none) fail(side::sink, error);
}

template <class Calls>
void copier<Calls>::run() {
  if (!going()) return;
  if (take_ != nullptr) return read_and_write();
  const file_info source = describe(from_);
  const file_info sink = describe(to_);
  if (source.kind == file_kind::pipe) enlarge_pipe(from_, static_cast<int>(copy_pipe_size));
  if (sink.kind == file_kind::pipe) enlarge_pipe(to_, static_cast<int>(copy_pipe_size));
  switch (choose_copy_route(source.kind, sink.kind, options_.snapshot)) {
    case copy_route::between_files:
      copy_between_files(source, sink);
      end_last_hole();
      return;
    case copy_route::splice:
      move_inside_kernel([this](std::size_t size) { return calls_.splice(from_, to_, size); });
      break;
    case copy_route::send_file:
      move_inside_kernel([this](std::size_t size) { return calls_.send_file(from_, to_, size); });
      break;
    case copy_route::splice_through_pipe:
      splice_through_pipe();
      break;
    case copy_route::read_write:
      break;
  }
  read_and_write();
}

// ---- the two ends, and copy() itself ----

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
