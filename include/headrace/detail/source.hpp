// headrace/detail/source.hpp: where a reader's bytes come from, and the buffer that holds the next of them. Not for
// users.
//
//   block   |....front room....|################......|.slack.|
//                        begin ^   position ^     ^ end
//
// read(2) fills an area of 128 KiB that begins in the first cache line of a page; what was not yet consumed is moved in
// front of it, so that every read begins there. (mmap loses against this by its page faults, and reading a whole file
// by leaving the cache.) Only a token or line that is itself longer makes the block grow. At least 64 bytes may be read
// before `begin` and 128 after `end`: kernels load whole vectors.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "../error.hpp"
#include "console.hpp"
#include "bytes.hpp"
#include "file.hpp"
#include "objects.hpp"
#include "process.hpp"
#include "read_digits.hpp"
#include "stdio.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// A reader flushes this before it waits: a function and its argument, or nothing.
struct tie {
  void (*flush)(void* target) = nullptr;
  void* target = nullptr;
};

// `in` is tied to the `out` that holds bytes.
inline void flush_out(void*) noexcept {
  if (!process::is_known()) return;
  if (const auto flush = __atomic_load_n(&process::headrace_streams.flush_output, __ATOMIC_ACQUIRE)) flush();
}

class source;
bool is_in(const source& from) noexcept;  // unless `in` was moved from or assigned to

// release_in() gives what `in` holds to another copy of headrace in this process; leave_in() leaves it to the process
// when the shared object with this copy is unloaded.
void release_in(process::held_input& held) noexcept;
void leave_in() noexcept;

// How many lines end in a part of a source, from one offset to another, where a line begins.
struct line_count {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t lines = 0;
};

class source {
 public:
  // `name` is for messages and must outlive the source, unless it is a path, which is copied; nullptr: the
  // descriptor's.
  constexpr source(int descriptor, const char* name, tie tied_to = {}) noexcept
      : name_(name),
        tie_(tied_to),
        descriptor_(descriptor),
        descriptor_name_(name == nullptr ? descriptor_text(descriptor) : descriptor_text()) {}
  explicit source(const char* path);
  explicit source(std::FILE* file);
  constexpr source(const char* data, std::size_t size) noexcept
      : name_("<memory>"),
        read_(source::read_memory),
        memory_(data == nullptr ? "" : data),
        memory_size_(size),
        kind_(file_kind::other),
        opened_(true) {}

  // The bytes [first, last) of a regular file, which is read by pread(2): the descriptor stays where it is. `shared`
  // may be nullptr: then the descriptor outlives the source. The name is copied.
  source(int descriptor, shared_descriptor* shared, const char* name, std::uint64_t first, std::uint64_t last) noexcept;
  // The bytes [first, last) of text in memory.
  source(const char* text, std::size_t first, std::size_t last) noexcept : source(text + first, last - first) {
    offset_ = first;
  }
  // An object that `calls` reach; the name is copied.
  source(const source_calls* calls, void* object, const char* name) noexcept;

  source(source&& other) noexcept : source(other) { other.forget(); }
  source& operator=(source&& other) noexcept;
  ~source() { release(); }

  // The bytes that are read and not consumed: [position, end). A user of the source moves `position` forward.
  char* position = nullptr;
  char* end = nullptr;

  // Brings at least one byte more after `end`, and moves the unread ones. At status::end 64 spaces are after `end`.
  // Waits only when it must, and flushes what it is tied to first.
  status refill() noexcept;

  // A read that has to wait gives up after so many milliseconds (less than 0: never), or when a signal comes. Reads for
  // one and the same place share them.
  void wait_at_most(int milliseconds) noexcept {
    wait_limit_ = milliseconds;
    end_wait();
    read_patiently();
  }
  // The next wait has the whole limit again, though nothing was consumed.
  void end_wait() noexcept { deadline_ = -1; }
  void report_signals(bool yes) noexcept {
    reports_signals_ = yes;
    read_patiently();
  }

  // Forgets what was read of a part of a file, and goes on with the bytes [first, last). Keeps the buffer.
  void aim_at(std::uint64_t first, std::uint64_t last) noexcept;
  // Puts the bytes [first, last), a header of whole rows, before a part of which nothing was read.
  void begin_with(std::uint64_t first, std::uint64_t last) noexcept {
    part_begin_ = offset_;
    offset_ = first;
    header_end_ = last;
  }
  // The input ends before a byte of the buffer; what is after it in the buffer is gone.
  void end_before(char* byte) noexcept;

  // Bytes that become spaces as they are read, those that were not consumed included.
  void blank_out(const byte_set& separators) noexcept {
    separators_ = separators;
    blank_out_ = separators.is_empty() ? nullptr : detail::blank_out;
    if (blank_out_ != nullptr) blank_out_(separators_, position, end);
  }

  bool has_ended() const noexcept { return at_end_; }
  const char* name() const noexcept { return name_ != nullptr ? name_ : descriptor_name_.text; }
  int descriptor() const noexcept { return descriptor_; }

  void tie_to(tie target) noexcept { tie_ = target; }
  void flush_tied() const noexcept {
    if (tie_.flush != nullptr) tie_.flush(tie_.target);
  }

  // Learns where the descriptor is, if nothing has been read yet, or where another copy of headrace has left it. A
  // failure is left to the first read.
  void find_start() noexcept {
    if (!opened_) (void)open();
    if (is_held_elsewhere()) (void)take_over();
  }
  // Where a byte of the buffer is. Lines are counted only now, on from the place that was counted last; those that have
  // left the buffer are read again where that is possible, and were counted when they left elsewhere. Line 0: they
  // cannot be read again after all.
  struct position where(const char* byte) noexcept;
  // Takes over what a caller has counted, where it goes on from the place that was counted last, or from near it.
  void take_count(const line_count& found) noexcept;
  std::uint64_t offset_of(const char* byte) const noexcept {
    return offset_ + static_cast<std::uint64_t>(byte - begin_);
  }

  // Whether the next bytes are the descriptor's, and the wait for them has no limit.
  bool waits_for_descriptor() const noexcept {
    return descriptor_ >= 0 && wait_limit_ < 0 && (file_ == nullptr || held_by_stdio(file_) == 0);
  }

  // For copy(), which reads the descriptor past an empty buffer: whether that gives the bytes that come next, as they
  // are, and that so many were taken. Of a pipe, the lines among them are not counted.
  bool can_bypass_buffer() const noexcept {
    return memory_ == nullptr && file_ == nullptr && calls_ == nullptr && part_end_ == no_part && !at_end_ &&
           blank_out_ == nullptr && !is_held_elsewhere();
  }
  void skip_external(std::uint64_t size) noexcept {
    if (!can_be_read_again_) count_to(offset_of(position));
    offset_ = offset_of(position) + size;
    begin_ = position;
    if (!can_be_read_again_) counted_ = {offset_, counted_.line, offset_};
  }

  // Gives what `in` holds to another copy of headrace.
  void hand_over(process::held_input& held) noexcept;

  // Says why a read failed; the text of an input_error.
  const char* describe_failure(status failure) const noexcept;

 private:
  // A place whose line is known.
  struct counted {
    std::uint64_t offset = 0;
    std::uint64_t line = 1;  // 0: unknown
    std::uint64_t line_begin = 0;
  };

  static constexpr std::uint64_t no_part = ~std::uint64_t(0);

  constexpr source(const source&) noexcept = default;
  source& operator=(const source&) noexcept = default;
  void forget() noexcept;
  void release() noexcept;
  status open() noexcept;
  status make_room() noexcept;
  // A byte of a file goes where in a line of the cache it is in the file. The kernel copies by `rep movsb`, which on
  // Zen 4 takes 3.7 times as long where it writes 1 to 63 bytes after the place that it reads, modulo 4096.
  std::size_t lead_of(std::uint64_t offset) const noexcept {
    return can_be_read_again_ ? static_cast<std::size_t>(offset % 64) : 0;
  }
  std::int64_t find_deadline() noexcept;
  void read_patiently() noexcept {
    if (read_ == nullptr) read_ = source::read_in_time;
  }

  // Where bytes come from: each source has one of these. A pointer, so that a program holds no code of the others.
  // Besides an errno, transfer.error may be a status. They are named source::read_..., by which `headrace bundle` finds
  // that they are used.
  using read_function = transfer (*)(source& from, char* to, std::size_t size) noexcept;
  static transfer read_descriptor(source& from, char* to, std::size_t size) noexcept;
  static transfer read_in_time(source& from, char* to, std::size_t size) noexcept;  // the same with a limit
  static transfer read_stdio(source& from, char* to, std::size_t size) noexcept;
  static transfer read_memory(source& from, char* to, std::size_t size) noexcept;
  static transfer read_part(source& from, char* to, std::size_t size) noexcept;
  static transfer read_pulled(source& from, char* to, std::size_t size) noexcept;
  friend bool is_in(const source& from) noexcept;
  bool is_held_elsewhere() const noexcept {
    if (!is_in(*this)) return false;
    const process::streams& all = process::headrace_streams;
    return all.release_input == nullptr ? all.left.begin != nullptr : all.release_input != release_in;
  }
  status take_over() noexcept;
  bool leaves_ = false;  // leave_in() will be called
  status finish() noexcept;
  void count(const char* first, const char* last, const newline_count& found) noexcept;
  void count_to(std::uint64_t offset) noexcept;
  void count_back_to(std::uint64_t offset) noexcept;

  const char* name_;  // nullptr: descriptor_name_
  tie tie_;
  read_function read_ = nullptr;  // read_descriptor
  char* own_name_ = nullptr;      // the copy of a path
  char* block_ = nullptr;
  char* begin_ = nullptr;  // of the bytes in the buffer, consumed ones included
  std::size_t front_ = 0;  // bytes before the aligned area
  std::size_t block_size_ = 0;
  std::uint64_t offset_ = 0;  // of begin_ in the source
  counted counted_;
  std::uint64_t expected_size_ = 0;  // of a regular file when it was opened
  std::uint64_t part_end_ = no_part;
  std::uint64_t header_end_ = no_part;  // of a part that a header comes before: where that ends,
  std::uint64_t part_begin_ = 0;        // and where the part begins
  shared_descriptor* shared_ = nullptr;
  const char* memory_ = nullptr;  // what was not yet brought into the buffer
  std::size_t memory_size_ = 0;
  std::FILE* file_ = nullptr;            // a FILE* whose own buffer cannot be passed by
  const source_calls* calls_ = nullptr;  // how to reach the object
  void* object_ = nullptr;
  int descriptor_ = -1;
  descriptor_text descriptor_name_;
  file_kind kind_ = file_kind::other;
  bool can_be_read_again_ = false;  // from its start, to count lines
  bool owns_descriptor_ = false;
  bool opened_ = false;
  bool at_end_ = false;
  bool reports_signals_ = false;
  int wait_limit_ = -1;           // milliseconds
  std::int64_t deadline_ = -1;    // of the wait for what is at waited_for_
  std::uint64_t waited_for_ = 0;  // an offset
  byte_set separators_;
  void (*blank_out_)(const byte_set&, char*, char*) noexcept = nullptr;  // a pointer: who sets none holds no code of it
  status failed_ = status::ok;  // a failure at the end of input, which comes again
};

inline constexpr std::size_t area_size = 128 * 1024;
inline constexpr std::size_t page_size = 4096;
inline constexpr std::size_t read_padding = 4096;  // after the area

__attribute__((noinline)) inline source::source(const char* path)
    : name_(path), descriptor_(open_file(not_null<true>(path, open_null_path), open_mode::read)) {
  if (descriptor_ < 0) raise_input_system_error(path, "open", errno);
  owns_descriptor_ = true;
  own_name_ = copy_name(path);
  name_ = own_name_ != nullptr ? own_name_ : "<file>";
}

// The bytes that stdio has already read go first. Where the descriptor cannot be moved to it (see stdio.hpp), it is
// read through the FILE; of a pipe, where one cannot know how much that is, a token at a time, so as not to wait for
// more. A FILE* without a descriptor (fmemopen) stays with stdio.
__attribute__((noinline)) inline source::source(std::FILE* file)
    : source(descriptor_of(not_null<true>(file, read_null_stream)), nullptr) {
  if (descriptor_ < 0) name_ = "<FILE*>";
  if (!sync_descriptor(file)) {
    file_ = file;
    read_ = source::read_stdio;
  }
  opened_ = descriptor_ < 0;
}

__attribute__((noinline)) inline source::source(const source_calls* calls, void* object, const char* name) noexcept
    : name_("<source>"),
      read_(source::read_pulled),
      own_name_(name == nullptr ? nullptr : copy_name(name)),
      calls_(calls),
      object_(object),
      kind_(file_kind::other),
      opened_(true) {
  if (own_name_ != nullptr) name_ = own_name_;
}

__attribute__((noinline)) inline source::source(int descriptor, shared_descriptor* shared, const char* name,
                                                std::uint64_t first, std::uint64_t last) noexcept
    : name_("<file>"),
      read_(source::read_part),
      own_name_(copy_name(name)),
      shared_(shared),
      descriptor_(descriptor),
      kind_(file_kind::regular),
      can_be_read_again_(true),
      opened_(true) {
  if (own_name_ != nullptr) name_ = own_name_;
  if (shared != nullptr) retain(shared);
  aim_at(first, last);
}

inline source& source::operator=(source&& other) noexcept {
  if (this != &other) {
    release();
    *this = static_cast<const source&>(other);
    other.forget();
  }
  return *this;
}

inline void source::forget() noexcept {
  block_ = begin_ = position = end = nullptr;
  offset_ = 0;
  counted_ = {};
  owns_descriptor_ = false;
  descriptor_ = -1;
  name_ = "<moved>";
  own_name_ = nullptr;
  shared_ = nullptr;
  calls_ = nullptr;
  opened_ = at_end_ = true;
  failed_ = status::end;
}

inline void source::release() noexcept {
  if (owns_descriptor_) close_file(descriptor_);
  if (shared_ != nullptr) detail::release(shared_);
  if (calls_ != nullptr && calls_->destroy != nullptr) calls_->destroy(object_);
  std::free(block_);
  std::free(own_name_);
}

// At the first refill: learns what the descriptor is, so that an error names it clearly.
HEADRACE_INLINE status source::open() noexcept {
  const file_info info = describe(descriptor_);
  if (info.error != 0) return system_status(info.error);
  kind_ = info.kind;
  if (kind_ == file_kind::directory) return system_status(EISDIR);
  if (kind_ == file_kind::pipe) enlarge_pipe(descriptor_);
  can_be_read_again_ = kind_ == file_kind::regular && file_ == nullptr;
  if (can_be_read_again_) {
    const std::int64_t offset = tell(descriptor_);
    offset_ = offset < 0 ? 0 : static_cast<std::uint64_t>(offset);
    counted_ = {};  // from the start of the file, wherever the descriptor is, or copy() has moved it
    expected_size_ = info.size;
  }
  set_binary(descriptor_);
  opened_ = true;
  return status::ok;
}

// Puts the unread bytes where at least a page can be read after them.
HEADRACE_COLD inline status source::make_room() noexcept {
  const auto unread = static_cast<std::size_t>(end - position);
  if (memory_ == nullptr && !can_be_read_again_ && position != begin_) count_to(offset_of(position));
  offset_ = offset_of(position);
  const std::size_t lead = lead_of(offset_ + unread);
  const bool room_after = block_ != nullptr && end + page_size + read_padding <= block_ + block_size_;
  if (unread > page_size && room_after) {  // to move a long token for every read would cost the square of its length
    begin_ = position;
    return status::ok;
  }
  if (unread + 64 > front_) {  // a long token, or the first call
    const std::size_t front = page_size + 2 * ((unread + page_size - 1) / page_size * page_size);
    const std::size_t size = page_size + front + (unread < area_size ? area_size : unread) + read_padding;
    char* block = static_cast<char*>(std::malloc(size));
    if (block == nullptr) return system_status(ENOMEM);
    const std::size_t to_page = page_size - reinterpret_cast<std::uintptr_t>(block) % page_size;
    front_ = to_page + front;
    std::memset(block + front_ + lead - unread - 64, 0, 64);
    if (unread != 0) std::memcpy(block + front_ + lead - unread, position, unread);
    std::free(block_);
    block_ = block;
    block_size_ = size;
  } else {
    std::memmove(block_ + front_ + lead - unread, position, unread);
  }
  end = block_ + front_ + lead;
  position = begin_ = end - unread;
  return status::ok;
}

inline transfer source::read_memory(source& from, char* to, std::size_t size) noexcept {
  const std::size_t block = size < from.memory_size_ ? size : from.memory_size_;
  std::memcpy(to, from.memory_, block);
  from.memory_ += block;
  from.memory_size_ -= block;
  return {block, 0};
}

inline transfer source::read_part(source& from, char* to, std::size_t size) noexcept {
  if (from.offset_of(from.end) == from.header_end_) {  // what is left of it counts as what is before the part
    from.offset_ += from.part_begin_ - from.header_end_;
    from.header_end_ = no_part;
  }
  const std::uint64_t at = from.offset_of(from.end);
  const std::uint64_t rest = (from.header_end_ != no_part ? from.header_end_ : from.part_end_) - at;
  if (rest == 0) return {};
  return read_at(from.descriptor_, to, rest < size ? static_cast<std::size_t>(rest) : size, at);
}

inline transfer source::read_pulled(source& from, char* to, std::size_t size) noexcept {
  from.flush_tied();
  const auto call = [&] {
    transfer done = from.calls_->read(from.object_, to, size);
    if (done.error == EINTR && from.reports_signals_) done.error = static_cast<int>(status::interrupted);
    return done;
  };
  return insist(call, wait_a_moment);
}

#if !HEADRACE_WINDOWS
inline std::int64_t steady_milliseconds() noexcept {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

// Waits until something can be read or said about it, which is status::ok. A deadline below 0 is none.
HEADRACE_COLD inline status wait_for_input(int descriptor, std::int64_t deadline, bool reports_signals) noexcept {
  for (;;) {
    std::int64_t rest = deadline < 0 ? -1 : deadline - steady_milliseconds();
    if (deadline >= 0 && rest < 0) rest = 0;
    pollfd request{descriptor, POLLIN, 0};
    const int ready = ::poll(&request, 1, static_cast<int>(rest));
    if (ready == 0) return status::timed_out;
    if (ready > 0 || errno != EINTR) return status::ok;
    if (reports_signals) return status::interrupted;
  }
}

// One read(2). A descriptor that blocks and says EAGAIN even so is a socket with a limit of its own (SO_RCVTIMEO).
HEADRACE_INLINE transfer read_or_time_out(int descriptor, char* to, std::size_t size) noexcept {
  transfer done = read_once(descriptor, to, size);
  if (done.error == EAGAIN || done.error == EWOULDBLOCK) {
    const int flags = ::fcntl(descriptor, F_GETFL);
    if (flags >= 0 && (flags & O_NONBLOCK) == 0) done.error = static_cast<int>(status::timed_out);
  }
  return done;
}

// When the wait is over: for all that is read before anything else is consumed.
HEADRACE_COLD inline std::int64_t source::find_deadline() noexcept {
  if (wait_limit_ < 0) return -1;
  const std::uint64_t here = offset_of(position);
  if (deadline_ < 0 || waited_for_ != here) deadline_ = steady_milliseconds() + wait_limit_;
  waited_for_ = here;
  return deadline_;
}
#endif

inline transfer source::read_descriptor(source& from, char* to, std::size_t size) noexcept {
  if (from.kind_ != file_kind::regular) from.flush_tied();
#if HEADRACE_WINDOWS
  if (from.kind_ == file_kind::terminal) return read_console(from.descriptor_, to, size);
  return read_some(from.descriptor_, to, size);
#else
  return insist([&] { return read_or_time_out(from.descriptor_, to, size); },
                [&] { wait_until_ready(from.descriptor_, readiness::to_read); });
#endif
}

HEADRACE_COLD inline transfer source::read_in_time(source& from, char* to, std::size_t size) noexcept {
#if HEADRACE_WINDOWS
  return read_descriptor(from, to, size);
#else
  if (from.kind_ != file_kind::regular) from.flush_tied();
  const std::int64_t deadline = from.find_deadline();
  status stopped = status::ok;
  const auto wait = [&] { stopped = wait_for_input(from.descriptor_, deadline, from.reports_signals_); };
  if (from.wait_limit_ >= 0) wait();
  const auto call = [&] {
    if (stopped != status::ok) {
      from.end_wait();
      return transfer{0, static_cast<int>(stopped)};
    }
    transfer done = read_or_time_out(from.descriptor_, to, size);
    if (done.error == EINTR && from.reports_signals_) done.error = static_cast<int>(status::interrupted);
    return done;
  };
  return insist(call, wait);
#endif
}

HEADRACE_COLD inline transfer source::read_stdio(source& from, char* to, std::size_t size) noexcept {
  std::FILE* const file = from.file_;
  const std::int64_t held = from.descriptor_ < 0 ? -1 : held_by_stdio(file);
  if (held == 0) {
    from.file_ = nullptr;
    from.read_ = source::read_in_time;
    return read_in_time(from, to, size);
  }
  if (from.kind_ != file_kind::regular) from.flush_tied();
  if (held > 0) {
    const auto most = static_cast<std::uint64_t>(held);
    return {std::fread(to, 1, most < size ? static_cast<std::size_t>(most) : size, file), 0};
  }
  std::size_t done = 0;
  int byte = 0;
  if (from.kind_ == file_kind::regular) done = std::fread(to, 1, size, file);  // which never waits
  while (done < size && (done == 0 || !is_whitespace(to[done - 1])) && (byte = std::getc(file)) != EOF) {
    to[done++] = static_cast<char>(byte);
  }
  return {done, done == 0 && std::ferror(file) ? EIO : 0};
}

// The end of input: spaces after it end the last token, and a file that has become shorter is an error.
HEADRACE_COLD inline status source::finish() noexcept {
  at_end_ = true;
  std::memset(end, ' ', 64);
  std::memset(end + 64, 0, 64);
  failed_ = status::end;
  if (can_be_read_again_ && offset_of(end) < expected_size_) {
    const file_info now = describe(descriptor_);
    if (now.error == 0 && now.size < expected_size_) failed_ = status::shrank;
  }
  return failed_;
}

inline void source::aim_at(std::uint64_t first, std::uint64_t last) noexcept {
  position = end = begin_;
  offset_ = first;
  part_end_ = expected_size_ = last;
  at_end_ = false;
  failed_ = status::ok;
}

inline void source::end_before(char* byte) noexcept {
  end = byte;
  part_end_ = expected_size_ = offset_of(byte);
  finish();
}

HEADRACE_INLINE void source::hand_over(process::held_input& held) noexcept {
  if (!is_in(*this) || position == nullptr) return;  // `in` was assigned to, or has read nothing
  const std::uint64_t offset = offset_of(position);
  if (!can_be_read_again_) count_to(offset);
  held = {position, end, offset, counted_.line, counted_.line_begin, can_be_read_again_, at_end_};
  begin_ = position = end;
  offset_ = offset;  // where it stopped
}

// `in` becomes the one that reads ahead, and goes on with what another copy of headrace held.
HEADRACE_COLD inline status source::take_over() noexcept {
  if (!process::is_known()) return status::foreign;
  process::streams& all = process::headrace_streams;
  process::held_input held = all.left;
  if (all.release_input != nullptr) all.release_input(held);
  all.release_input = release_in;
  if (!leaves_) leaves_ = std::atexit(leave_in) == 0;
  if (held.begin == nullptr) return status::ok;
  std::free(block_);  // empty: who does not hold the input has nothing of it
  block_ = nullptr;
  front_ = 0;
  position = const_cast<char*>(held.begin);
  end = const_cast<char*>(held.end);
  offset_ = held.offset;
  counted_ = {};
  if (!held.is_file) counted_ = {held.offset, held.line, held.line_begin};
  if (held.is_file && position == end) (void)seek(descriptor_, static_cast<std::int64_t>(offset_), SEEK_SET);
  begin_ = position;
  const status placed = make_room();  // there is none: it moves what is unread
  std::free(const_cast<char*>(all.left.begin));
  all.left = {};
  if (placed != status::ok) return placed;
  if (blank_out_ != nullptr) blank_out_(separators_, position, end);
  std::memset(end, 0, 128);
  if (held.at_end) finish();
  return status::ok;
}

HEADRACE_COLD inline status source::refill() noexcept {
  if (at_end_) return failed_;
  if (!opened_) {
    const status opened = open();
    if (opened != status::ok) return opened;
  }
  if (is_in(*this) && process::headrace_streams.release_input != release_in) {
    const status taken = take_over();
    if (taken != status::ok || position != end) return taken;
    if (at_end_) return failed_;
  }
  const status room = make_room();
  if (room != status::ok) return room;
  const std::size_t space = static_cast<std::size_t>(block_ + block_size_ - read_padding - end);
  const auto read = read_ != nullptr ? read_ : source::read_descriptor;
  const transfer got = read(*this, end, space < area_size ? space : area_size);
  if (got.error != 0) {
    const status failed = system_status(got.error);
    if (failed == status::overran) {  // it may have written anywhere: it is not asked again
      at_end_ = true;
      failed_ = failed;
    }
    return failed;
  }
  if (got.size == 0) return finish();
  if (unlikely(blank_out_ != nullptr)) blank_out_(separators_, end, end + got.size);
  end += got.size;
  std::memset(end, 0, 128);  // kernels read it and use none of it, which MemorySanitizer and valgrind deny
  return status::ok;
}

// Counts [first, last), which follows the place that was counted last.
HEADRACE_INLINE void source::count(const char* first, const char* last, const newline_count& found) noexcept {
  counted_.offset += static_cast<std::uint64_t>(last - first);
  counted_.line += found.count;
  if (found.after_last != nullptr) {
    counted_.line_begin = counted_.offset - static_cast<std::uint64_t>(last - found.after_last);
  }
}

// To a place in the buffer before the one that was counted last. The buffer begins with a line, or in the same one.
HEADRACE_COLD inline void source::count_back_to(std::uint64_t offset) noexcept {
  const char* byte = begin_ + (offset - offset_);
  const std::uint64_t lines = count_newlines(byte, begin_ + (counted_.offset - offset_)).count;
  counted_.offset = offset;
  if (lines == 0) return;
  counted_.line -= lines;
  while (byte != begin_ && byte[-1] != '\n') --byte;
  counted_.line_begin = offset_ + static_cast<std::uint64_t>(byte - begin_);
}

// Counts on to an offset, of a byte in the buffer, or of memory that was brought there.
HEADRACE_COLD inline void source::count_to(std::uint64_t offset) noexcept {
  if (counted_.offset > offset) {
    if (offset >= offset_) return count_back_to(offset);
    counted_ = {};
  }
  char chunk[16 * 1024];
  while (counted_.line != 0 && counted_.offset < offset) {
    auto size = static_cast<std::size_t>(offset - counted_.offset);
    const char* from = chunk;
    if (counted_.offset >= offset_) {
      from = begin_ + (counted_.offset - offset_);
    } else if (memory_ != nullptr) {  // all of it is still there, before memory_ is what was read
      from = memory_ - offset_of(end) + counted_.offset;
    } else {
      const std::uint64_t rest = offset_ - counted_.offset;
      size = rest < sizeof chunk ? static_cast<std::size_t>(rest) : sizeof chunk;
      size = can_be_read_again_ ? read_at(descriptor_, chunk, size, counted_.offset).size : 0;
      if (size == 0) {
        counted_.line = 0;
        return;
      }
    }
    count(from, from + size, count_newlines(from, from + size));
  }
}

__attribute__((noinline)) inline struct position source::where(const char* byte) noexcept {
  const std::uint64_t offset = offset_of(byte);
  if (counted_.line == 0) counted_ = {};  // perhaps the file can be read now
  if (counted_.offset >= offset_ && offset - counted_.offset <= nearby && blank_out_ == nullptr) {
    const char* const from = begin_ + (counted_.offset - offset_);
    count(from, byte, count_newlines_nearby(from, byte));
  } else {
    count_to(offset);
  }
  if (counted_.line == 0) return {offset, 0, 0};
  return {offset, counted_.line, offset - counted_.line_begin + 1};
}

inline void source::take_count(const line_count& found) noexcept {
  if (counted_.line == 0 || counted_.offset < offset_ || found.begin - counted_.offset > nearby) return;
  (void)where(begin_ + (found.begin - offset_));
  counted_ = {found.end, counted_.line + found.lines, found.end};
}

inline const char* source::describe_failure(status failure) const noexcept {
  if (calls_ != nullptr && calls_->failure != nullptr) {
    if (const char* const said = calls_->failure(object_)) return said;
  }
  if (failure == status::shrank) return "the file became shorter while it was being read";
  if (failure == status::timed_out) return "nothing came in time";
  if (failure == status::interrupted) return "a signal came";
  if (failure == status::foreign) return "a newer headrace in this process shares standard input in another way";
  if (failure == status::overran) return "the source claims more bytes than it was asked for";
  if (failure == status::threw) return "the source threw an exception";
  return system_message(static_cast<int>(failure));
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
