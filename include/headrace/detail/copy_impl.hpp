// headrace/copy_work.hpp: how a copy is made. Not for users: copy.hpp says what it does.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "../config.hpp"
#include "../copy.hpp"
#include "../error.hpp"
#include "file.hpp"

#if defined(__linux__)
#include <sys/sendfile.h>
#include <sys/vfs.h>
#endif

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// 1 MiB is up to 1.1 times as fast as 256 KiB into ext4, and the same elsewhere; a short copy would not earn back the
// page faults of so large a buffer.
constexpr std::size_t copy_buffer_size = 1024 * 1024;
constexpr std::size_t copy_small_buffer_size = 256 * 1024;
constexpr std::size_t copy_short = 8 * 1024 * 1024;
constexpr std::size_t copy_pipe_size = 1024 * 1024;
constexpr std::size_t copy_kernel_block = 16 * 1024 * 1024;  // one call inside the kernel: what progress waits for

struct place {
  std::int64_t offset = 0;
  int error = 0;
};

// The system calls of a copy, each made once. Tests put a class of the same shape in its place, which injects faults.
struct copy_calls {
  static transfer moved(std::int64_t size) noexcept {
    return size < 0 ? transfer{0, errno} : transfer{static_cast<std::size_t>(size), 0};
  }
  static place stands(std::int64_t offset) noexcept { return offset < 0 ? place{0, errno} : place{offset, 0}; }

  transfer read(int descriptor, char* to, std::size_t size) noexcept;
  transfer write(int descriptor, const char* from, std::size_t size) noexcept;
  place seek(int descriptor, std::int64_t offset, int whence) noexcept {
    return stands(detail::seek(descriptor, offset, whence));
  }
  int resize(int descriptor, std::int64_t size) noexcept;  // errno or 0
  void wait(int descriptor, short events) noexcept { wait_until_ready(descriptor, events); }

  // What only some systems have: ENOSYS elsewhere, and reading and writing does the work.
  transfer copy_range(int from, int to, std::size_t size) noexcept;
  transfer splice(int from, int to, std::size_t size) noexcept;
  transfer send_file(int from, int to, std::size_t size) noexcept;
  int make_pipe(int (&ends)[2]) noexcept;
  int reserve(int descriptor, std::int64_t offset, std::int64_t size) noexcept;
  place next_data(int descriptor, std::int64_t offset) noexcept;
  place next_hole(int descriptor, std::int64_t offset) noexcept;
};

#if HEADRACE_WINDOWS
inline transfer copy_calls::read(int descriptor, char* to, std::size_t size) noexcept {
  return read_some(descriptor, to, size);
}
inline transfer copy_calls::write(int descriptor, const char* from, std::size_t size) noexcept {
  const auto put = ::_write(descriptor, from, static_cast<unsigned>(size));
  return put < 0 ? transfer{0, write_error()} : moved(put);
}
inline int copy_calls::resize(int descriptor, std::int64_t size) noexcept { return ::_chsize_s(descriptor, size); }
#else
inline transfer copy_calls::read(int descriptor, char* to, std::size_t size) noexcept {
  return moved(::read(descriptor, to, size));
}
inline transfer copy_calls::write(int descriptor, const char* from, std::size_t size) noexcept {
  return moved(::write(descriptor, from, size));
}
inline int copy_calls::resize(int descriptor, std::int64_t size) noexcept {
#if defined(__GLIBC__) && defined(__USE_LARGEFILE64)
  return ::ftruncate64(descriptor, size) == 0 ? 0 : errno;
#else
  return ::ftruncate(descriptor, static_cast<off_t>(size)) == 0 ? 0 : errno;
#endif
}
#endif

#if defined(__linux__)
inline transfer copy_calls::copy_range(int from, int to, std::size_t size) noexcept {
  return moved(::copy_file_range(from, nullptr, to, nullptr, size, 0));
}
inline transfer copy_calls::splice(int from, int to, std::size_t size) noexcept {
  return moved(::splice(from, nullptr, to, nullptr, size, 0));
}
inline transfer copy_calls::send_file(int from, int to, std::size_t size) noexcept {
  return moved(::sendfile(to, from, nullptr, size));
}
inline int copy_calls::make_pipe(int (&ends)[2]) noexcept { return ::pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }
inline int copy_calls::reserve(int descriptor, std::int64_t offset, std::int64_t size) noexcept {
  constexpr int keep_size = 1;  // FALLOC_FL_KEEP_SIZE of <linux/falloc.h>
#if defined(__GLIBC__) && defined(__USE_LARGEFILE64)
  return ::fallocate64(descriptor, keep_size, offset, size) == 0 ? 0 : errno;
#else
  return ::fallocate(descriptor, keep_size, static_cast<off_t>(offset), static_cast<off_t>(size)) == 0 ? 0 : errno;
#endif
}
#else
inline transfer copy_calls::copy_range(int, int, std::size_t) noexcept { return {0, ENOSYS}; }
inline transfer copy_calls::splice(int, int, std::size_t) noexcept { return {0, ENOSYS}; }
inline transfer copy_calls::send_file(int, int, std::size_t) noexcept { return {0, ENOSYS}; }
inline int copy_calls::make_pipe(int (&)[2]) noexcept { return ENOSYS; }
inline int copy_calls::reserve(int, std::int64_t, std::int64_t) noexcept { return ENOSYS; }
#endif

#if defined(SEEK_DATA) && defined(SEEK_HOLE)
inline place copy_calls::next_data(int descriptor, std::int64_t offset) noexcept {
  return seek(descriptor, offset, SEEK_DATA);
}
inline place copy_calls::next_hole(int descriptor, std::int64_t offset) noexcept {
  return seek(descriptor, offset, SEEK_HOLE);
}
#else
inline place copy_calls::next_data(int, std::int64_t) noexcept { return {0, ENOSYS}; }
inline place copy_calls::next_hole(int, std::int64_t) noexcept { return {0, ENOSYS}; }
#endif

// How bytes go from one kind of end to another. Chosen by measurement (the benchmark `copy`): what moves inside the
// kernel wins wherever one end is a pipe or a device, because nothing is copied; between files it must copy anyway,
// and then large reads and writes win over copy_file_range, unless the file system can share the bytes.
enum class copy_route : unsigned char { between_files, read_write, splice, splice_through_pipe, send_file };

constexpr copy_route choose_copy_route(file_kind from, file_kind to) noexcept {
  if (from == file_kind::terminal || to == file_kind::terminal) return copy_route::read_write;
  if (from == file_kind::regular && to == file_kind::regular) return copy_route::between_files;
  if (to == file_kind::regular) return copy_route::read_write;
  if (from == file_kind::pipe || to == file_kind::pipe) return copy_route::splice;
  if (from == file_kind::regular) {
    return to == file_kind::socket ? copy_route::send_file : copy_route::splice_through_pipe;
  }
  return copy_route::read_write;
}

// What a file system offers to a copy. Named by the magic numbers of statfs(2).
struct file_system_traits {
  bool shares_bytes = false;   // copy_file_range clones extents, or copies on the server
  bool likes_reserve = false;  // fallocate saves the allocation block by block
};

inline file_system_traits file_system_of([[maybe_unused]] int descriptor) noexcept {
  file_system_traits traits;
#if defined(__linux__)
  struct statfs status;
  if (::fstatfs(descriptor, &status) != 0) return traits;
  switch (static_cast<std::uint32_t>(status.f_type)) {
    case 0x9123683eu:  // btrfs
    case 0x58465342u:  // xfs
    case 0xca451a4eu:  // bcachefs
    case 0x7461636fu:  // ocfs2
    case 0x2fc12fc1u:  // zfs
    case 0x6969u:      // nfs
    case 0xff534d42u:  // cifs
    case 0xfe534d42u:  // smb2
      traits.shares_bytes = true;
      break;
    case 0x01021994u:  // tmpfs: reserving fills every page with zeros first, x1.08
    case 0x858458f6u:  // ramfs
      break;
    default:  // ext4 and its like: x0.6
      traits.likes_reserve = true;
      break;
  }
#endif
  return traits;
}

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

  // A sink that is no descriptor: `take` gets every block, and may throw.
  void deliver_to(void (*take)(void* object, const char* from, std::size_t size), void* object) noexcept {
    take_ = take;
    taker_ = object;
  }

  std::uint64_t remaining() const noexcept { return goal_ - copied_; }
  void report() noexcept {
    if (options_.on_progress != nullptr && !options_.on_progress(copied_, options_.context)) ended_ = true;
  }

  // Writes bytes that somebody has read before; returns how many of them arrived.
  std::size_t put(const char* from, std::size_t size);

  // Everything else, from descriptor to descriptor.
  void run();

  // Blocks that `pull(char*, size_t)` hands out as a transfer, `size` bytes in all or until it gives 0.
  template <class Pull>
  void run_pulling(Pull pull, std::uint64_t size);

 private:
  std::size_t block(std::size_t size) const noexcept {
    return remaining() < size ? static_cast<std::size_t>(remaining()) : size;
  }
  void fail(side where, int error) noexcept {
    failed_ = where;
    error_ = error;
  }
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
  bool pass_hole(std::int64_t from, std::int64_t to) noexcept;
  void settle() noexcept;

  Calls& calls_;
  const copy_options& options_;
  int from_, to_;
  std::uint64_t goal_;
  std::uint64_t copied_ = 0;
  void* allocation_ = nullptr;
  char* buffer_ = nullptr;
  std::size_t buffer_size_ = copy_buffer_size;
  void (*take_)(void*, const char*, std::size_t) = nullptr;
  void* taker_ = nullptr;
  bool ended_ = false;
  bool kernel_copies_ = false;  // between files: try copy_file_range first
  bool left_holes_ = false;
  int error_ = 0;
  side failed_ = side::none;
};

// One call that moves bytes, again after a signal, and when a non-blocking end is ready to go on.
template <class Calls>
template <class Move>
transfer copier<Calls>::insist(Move move, [[maybe_unused]] int from, [[maybe_unused]] int to) noexcept {
  for (;;) {
    const transfer done = move();
    if (done.error == EINTR) continue;
#if !HEADRACE_WINDOWS
    if (done.error == EAGAIN || done.error == EWOULDBLOCK) {
      if (from >= 0) calls_.wait(from, POLLIN);
      if (to >= 0) calls_.wait(to, POLLOUT);
      continue;
    }
#endif
    return done;
  }
}

template <class Calls>
std::size_t copier<Calls>::put(const char* from, std::size_t size) {
  std::size_t written = 0;
  if (take_ != nullptr) {
    take_(taker_, from, size);
    written = size;
  }
  while (written < size) {
    const std::size_t rest = size - written;
    const auto once = [&] {
      return calls_.write(to_, from + written, rest < greatest_transfer ? rest : greatest_transfer);
    };
    const transfer done = insist(once, -1, to_);
    if (done.error != 0 || done.size == 0) {  // a device that takes nothing would loop for ever
      fail(side::sink, done.error != 0 ? done.error : EIO);
      break;
    }
    written += done.size;
  }
  copied_ += written;
  return written;
}

// Page-aligned: the kernel copies whole pages faster.
template <class Calls>
bool copier<Calls>::allocate(std::uint64_t expected) noexcept {
  if (buffer_ != nullptr) return true;
  constexpr std::size_t page = 4096;
  if (expected < copy_short) buffer_size_ = copy_small_buffer_size;
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
void copier<Calls>::run_pulling(Pull pull, std::uint64_t size) {
  if (size == 0 || !going() || !allocate(UINT64_MAX)) return;
  while (going() && size > 0) {
    const std::size_t most = size < buffer_size_ ? static_cast<std::size_t>(size) : buffer_size_;
    const transfer got = pull(buffer_, block(most));
    if (got.error != 0) return fail(side::source, got.error);
    ended_ = got.size == 0;
    size -= got.size;
    if (put(buffer_, got.size) == got.size && !ended_) report();
  }
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

// The sink refused to be spliced to while bytes stood in our pipe: they are written before anything else.
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
  const place from = calls_.seek(from_, 0, SEEK_CUR);
  const place to = calls_.seek(to_, 0, SEEK_CUR);
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
  const bool reserved = traits.likes_reserve && !kernel_copies_ && expected > buffer_size_ &&
                        calls_.reserve(to_, target, static_cast<std::int64_t>(expected)) == 0;
  move_part();
  if (reserved && copied_ < expected) calls_.resize(to_, static_cast<std::int64_t>(describe(to_).size));
}

// data, hole, data, hole: copies each part that holds data and steps over the rest in both files.
template <class Calls>
void copier<Calls>::copy_parts_between_holes() {
  const std::uint64_t goal = goal_;
  while (going()) {
    const place here = calls_.seek(from_, 0, SEEK_CUR);
    place data = calls_.next_data(from_, here.offset);
    const bool only_hole = data.error == ENXIO;  // no more data: a hole up to the end
    if (only_hole) data = calls_.seek(from_, 0, SEEK_END);
    if (here.error != 0 || data.error != 0 || data.offset < here.offset) {
      calls_.seek(from_, here.offset, SEEK_SET);
      return;
    }
    if (!pass_hole(here.offset, data.offset) || only_hole || !going()) return;

    const place hole = calls_.next_hole(from_, data.offset);
    calls_.seek(from_, data.offset, SEEK_SET);
    if (hole.error != 0 || hole.offset <= data.offset) return;
    const auto size = static_cast<std::uint64_t>(hole.offset - data.offset);
    if (size < remaining()) goal_ = copied_ + size;
    move_part();
    goal_ = goal;
  }
}

// Steps over at most what is left to copy. The sink's new bytes are a hole once something follows, or settle() ran.
template <class Calls>
bool copier<Calls>::pass_hole(std::int64_t from, std::int64_t to) noexcept {
  auto size = static_cast<std::uint64_t>(to - from);
  if (size > remaining()) size = remaining();
  const auto step = static_cast<std::int64_t>(size);
  const place moved = calls_.seek(from_, from + step, SEEK_SET);
  const place sink = moved.error == 0 ? calls_.seek(to_, step, SEEK_CUR) : moved;
  if (sink.error != 0) {
    calls_.seek(from_, from, SEEK_SET);
    return false;
  }
  copied_ += size;
  left_holes_ = left_holes_ || size > 0;
  report();
  return true;
}

// A hole at the end: the sink gets the length that it stands at.
template <class Calls>
void copier<Calls>::settle() noexcept {
  if (!left_holes_) return;
  const place end = calls_.seek(to_, 0, SEEK_CUR);
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
  switch (choose_copy_route(source.kind, sink.kind)) {
    case copy_route::between_files:
      copy_between_files(source, sink);
      settle();
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

// ---------------------------------------------------------------------------------------------------------------
// The two ends.

// Tells a FILE whose descriptor was moved where it stands now. Pipes and terminals stand nowhere.
inline void resume_stream(std::FILE* stream) noexcept {
  const std::int64_t here = tell(descriptor_of(stream));
  if (here < 0) return;
#if HEADRACE_WINDOWS
  ::_fseeki64(stream, here, SEEK_SET);
#elif defined(__GLIBC__) && defined(__USE_LARGEFILE64)
  ::fseeko64(stream, here, SEEK_SET);
#else
  ::fseeko(stream, static_cast<off_t>(here), SEEK_SET);
#endif
}

// How many bytes of a pipe a FILE has read ahead, or -1 where the library does not tell.
inline std::int64_t held_by([[maybe_unused]] const std::FILE* stream) noexcept {
#if defined(__GLIBC__)
  if (stream->_IO_save_base == nullptr) return stream->_IO_read_end - stream->_IO_read_ptr;  // no ungetc
#endif
  return -1;
}

// Makes the descriptor stand where the FILE does, so that the kernel can go on from there. True where that is done;
// otherwise only fread gives out what the FILE holds.
inline bool give_back([[maybe_unused]] std::FILE* stream) noexcept {
#if HEADRACE_WINDOWS
  return false;
#else
  return tell(descriptor_of(stream)) >= 0 && std::fflush(stream) == 0;  // POSIX: unread bytes are given back
#endif
}

// False for a descriptor that was opened for reading only: an empty source would not notice.
inline bool can_write([[maybe_unused]] int descriptor) noexcept {
#if defined(O_ACCMODE) && defined(F_GETFL)
  return (::fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
#else
  return true;
#endif
}

// Both ends of a pipe are one file too. A terminal may well be copied to itself.
inline bool is_same_file(const file_info& one, const file_info& other) noexcept {
  if (one.kind != other.kind || (one.kind != file_kind::regular && one.kind != file_kind::pipe)) return false;
  return one.inode != 0 && one.inode == other.inode && one.device == other.device;
}

// Where files have no numbers: whether two paths name one place.
inline bool is_same_path([[maybe_unused]] const std::string& one, [[maybe_unused]] const std::string& other) {
#if HEADRACE_WINDOWS
  char full_one[_MAX_PATH], full_other[_MAX_PATH];
  return ::_fullpath(full_one, one.c_str(), sizeof full_one) != nullptr &&
         ::_fullpath(full_other, other.c_str(), sizeof full_other) != nullptr && ::_stricmp(full_one, full_other) == 0;
#else
  return false;  // is_same_file has told already
#endif
}

[[noreturn]] HEADRACE_COLD inline void raise_copy_input_error(const std::string& name, int code,
                                                              std::uint64_t arrived) {
  raise<input_error>(std::string(output_message(name, "read", code, arrived)), static_cast<std::errc>(code),
                     position{arrived, 0, 0}, std::string());
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

}  // namespace detail

inline void copy_source::open(detail::owned_descriptor& into) const {
  into.number = is_path_ ? detail::open_file(name_.c_str(), detail::open_mode::read) : descriptor_;
  into.owned = is_path_ && into.number >= 0;
  if (is_path_ && into.number < 0) detail::raise_input_system_error(name_, "open", errno);
  if (reader_ != nullptr && into.number < 0) return;  // memory
  const detail::file_info info = detail::describe(into.number);
  if (info.error != 0) detail::raise_input_system_error(name_, "read", info.error);
  if (info.kind == detail::file_kind::directory) detail::raise_input_system_error(name_, "read", EISDIR);
}

// What the reader holds goes first. True where the descriptor gives what comes next; of memory, and of a FILE* that
// does not tell what it holds, the reader itself hands out all there is.
template <class Calls>
bool copy_source::empty_reader(detail::copier<Calls>& work) const {
  for (;;) {
    const std::string_view held = reader_calls_->buffered(reader_);
    const std::size_t size = held.size() < work.remaining() ? held.size() : static_cast<std::size_t>(work.remaining());
    if (size > 0) {
      reader_calls_->consume(reader_, work.put(held.data(), size));
      work.report();
    }
    if (!work.going()) return false;
    if (reader_calls_->can_be_passed_by(reader_)) return true;
    if (!reader_calls_->fetch_more(reader_)) return false;
  }
}

template <class Calls>
void copy_source::move_to(detail::copier<Calls>& work) const {
  if (reader_ != nullptr) {
    if (!empty_reader(work)) return;
    const std::uint64_t before = work.copied();
    work.run();
    return reader_calls_->passed_by(reader_, work.copied() - before);
  }
  if (stream_ != nullptr && !detail::give_back(stream_)) {
    // A pipe: what the FILE holds is read through it, and the rest past it if it can say when it is empty.
    const auto pull = [this](char* to, std::size_t size) {
      const std::size_t got = std::fread(to, 1, size, stream_);
      return detail::transfer{got, got == 0 && std::ferror(stream_) != 0 ? errno : 0};
    };
    const std::int64_t held = detail::held_by(stream_);
    if (held < 0) return work.run_pulling(pull, UINT64_MAX);
    work.run_pulling(pull, static_cast<std::uint64_t>(held));
  }
  work.run();
  if (stream_ != nullptr) detail::resume_stream(stream_);
}

inline void copy_sink::open(detail::owned_descriptor& into, const copy_source& from, int source) const {
  if (stream_ != nullptr && std::fflush(stream_) != 0) detail::raise_output_error(name_, "write", errno, 0);
  into.number = is_path_ ? detail::open_file(name_.c_str(), detail::open_mode::keep) : descriptor_;
  into.owned = is_path_ && into.number >= 0;
  if (is_path_ && into.number < 0) detail::raise_output_error(name_, "open", errno, 0);
  if (writer_ != nullptr) {
    writer_calls_->flush(writer_);
    if (descriptor_ < 0) return;  // memory
  }
  const detail::file_info to = detail::describe(into.number);
  if (to.error != 0) detail::raise_output_error(name_, "write", to.error, 0);
  if (!detail::can_write(into.number)) detail::raise_output_error(name_, "write", EBADF, 0);
  if (detail::is_same_file(detail::describe(source), to) ||
      (is_path_ && from.is_path_ && detail::is_same_path(from.name_, name_))) {
    const detail::message text{name_, ": cannot copy a file onto itself (0 bytes arrived)"};
    detail::raise<output_error>(text.c_str(), std::errc::invalid_argument, 0u);
  }
  if (is_path_ && to.kind == detail::file_kind::regular && to.size > 0) {
    const int error = detail::copy_calls{}.resize(into.number, 0);
    if (error != 0) detail::raise_output_error(name_, "truncate", error, 0);
  }
}

template <class Calls>
std::uint64_t copy(copy_source from, copy_sink to, const copy_options& options) {
  detail::owned_descriptor source, sink;
  from.open(source);
  to.open(sink, from, source.number);
  const detail::binary_mode bytes_in(source.number), bytes_out(sink.number);
  Calls calls;
  detail::copier<Calls> work(calls, source.number, sink.number, options);
  const bool into_memory = to.writer_ != nullptr && to.descriptor_ < 0;
  if (into_memory) work.deliver_to(to.writer_calls_->write, to.writer_);
  from.move_to(work);
  if (to.stream_ != nullptr) detail::resume_stream(to.stream_);
  if (to.writer_ != nullptr && !into_memory) to.writer_calls_->count(to.writer_, work.copied());

  using side = typename detail::copier<Calls>::side;
  if (work.failed() == side::source) detail::raise_copy_input_error(from.name_, work.error(), work.copied());
  if (work.failed() == side::sink) detail::raise_output_error(to.name_, "write", work.error(), work.copied());
  const int error = sink.close();
  if (error != 0) detail::raise_output_error(to.name_, "close", error, work.copied());
  return work.copied();
}

}  // namespace HEADRACE_ABI
}  // namespace headrace
