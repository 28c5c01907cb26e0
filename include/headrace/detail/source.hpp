// headrace/detail/source.hpp: where a reader's bytes come from, and the buffer that holds the next of them. Not for
// users.
//
//   block   |....front room....|################......|.slack.|
//                        begin ^   position ^     ^ end
//
// read(2) fills a page-aligned area of 128 KiB; what was not yet consumed is moved in front of it, so that every read
// stays aligned. (mmap loses against this by its page faults, and reading a whole file by leaving the cache.) Only a
// token or line that is itself longer makes the block grow. At least 64 bytes may be read before `begin` and 128 behind
// `end`: kernels load whole vectors.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "console.hpp"
#include "../error.hpp"
#include "file.hpp"
#include "stdio.hpp"
#include "../parse.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

class source {
 public:
  // `name` is for messages and must outlive the source, unless it is a path, which is copied.
  constexpr source(int descriptor, const char* name) noexcept : name_(name), descriptor_(descriptor) {}
  explicit source(const char* path);
  explicit source(std::FILE* file);
  constexpr source(const char* data, std::size_t size) noexcept
      : name_("<memory>"),
        memory_(data == nullptr ? "" : data),
        memory_size_(size),
        kind_(file_kind::other),
        opened_(true) {}

  source(source&& other) noexcept : source(other) { other.forget(); }
  source& operator=(source&& other) noexcept;
  ~source() { release(); }

  // The bytes that are read and not consumed: [position, end). A user of the source moves `position` forward.
  char* position = nullptr;
  char* end = nullptr;

  // Brings at least one byte more behind `end`, and moves the unread ones. Returns errc{}; no_message at the end of
  // input, when 64 blanks stand behind `end`; or the system's error. Waits only when it must, and flushes `out` first.
  std::errc refill();

  bool at_end() const noexcept { return at_end_; }
  const char* name() const noexcept { return name_; }
  int descriptor() const noexcept { return descriptor_; }

  // Where a byte of the buffer stands: line and column are counted only now, from the start of a file or of memory;
  // of a pipe, what has left the buffer was counted when it left.
  struct position where(const char* byte) const noexcept;
  std::uint64_t offset_of(const char* byte) const noexcept {
    return offset_ + static_cast<std::uint64_t>(byte - begin_);
  }

  // For copy(), which reads the descriptor past an empty buffer: whether that gives the bytes that come next, and that
  // so many were taken. Of a pipe, the lines among them are not counted.
  bool can_bypass_buffer() const noexcept { return memory_ == nullptr && file_ == nullptr && !at_end_; }
  void skip_external(std::uint64_t size) noexcept {
    offset_ = offset_of(position) + size;
    begin_ = position;
  }

  // Says why a read failed; the text of an input_error.
  const char* describe_failure(std::errc code) const;

 private:
  constexpr source(const source&) noexcept = default;
  source& operator=(const source&) noexcept = default;
  void forget() noexcept;
  void release() noexcept;
  std::errc open();
  std::errc make_room();
  transfer read_more(char* to, std::size_t size);
  transfer read_stdio(char* to, std::size_t size);
  std::errc finish();

  const char* name_;
  char* own_name_ = nullptr;  // the copy of a path
  char* block_ = nullptr;
  char* begin_ = nullptr;  // of the bytes in the buffer, consumed ones included
  std::size_t front_ = 0;  // bytes before the aligned area
  std::size_t block_size_ = 0;
  std::uint64_t offset_ = 0;  // of begin_ in the source
  std::uint64_t lines_ = 0;   // newlines before begin_, of a source that cannot be read again
  std::uint64_t line_begin_ = 0;
  std::uint64_t expected_size_ = 0;  // of a regular file when it was opened
  const char* memory_ = nullptr;
  std::size_t memory_size_ = 0;
  std::FILE* file_ = nullptr;  // a FILE* whose own buffer cannot be passed by
  int descriptor_ = -1;
  file_kind kind_ = file_kind::other;
  bool can_be_read_again_ = false;  // from its start, to count lines
  bool owns_descriptor_ = false;
  bool opened_ = false;
  bool at_end_ = false;
  bool shrank_ = false;
};

constexpr std::size_t area_size = 128 * 1024;
constexpr std::size_t least_front = 4096;
constexpr std::size_t slack = 4096;

// Newlines in [first, last): their number, and the byte behind the last one (nullptr: there is none). 16 bytes at a
// time, so that counting what leaves a pipe's buffer costs about a hundredth of reading it.
struct newline_count {
  std::uint64_t count = 0;
  const char* behind_last = nullptr;
};

inline newline_count count_newlines(const char* first, const char* last) noexcept {
  using u8x16 = unsigned char __attribute__((vector_size(16)));
  newline_count result;
  const char* at = first;
  while (last - at >= 16) {
    u8x16 counts{};
    for (int i = 0; i < 255 && last - at >= 16; ++i, at += 16) {
      u8x16 bytes;
      std::memcpy(&bytes, at, 16);
      counts -= static_cast<u8x16>(bytes == '\n');
    }
    for (int lane = 0; lane < 16; ++lane) result.count += counts[lane];
  }
  for (; at != last; ++at) result.count += *at == '\n';
  if (result.count != 0) {
    for (at = last; at[-1] != '\n'; --at) {}
    result.behind_last = at;
  }
  return result;
}

inline char* copy_name(const char* path) {
  const std::size_t size = std::strlen(path) + 1;
  char* copy = static_cast<char*>(std::malloc(size));
  if (copy != nullptr) std::memcpy(copy, path, size);
  return copy;
}

HEADRACE_COLD inline source::source(const char* path) : name_(path), descriptor_(open_file(path, open_mode::read)) {
  if (descriptor_ < 0) raise_input_system_error(path, "open", errno);
  owns_descriptor_ = true;
  own_name_ = copy_name(path);
  name_ = own_name_ != nullptr ? own_name_ : "<file>";
}

// What stdio has already read goes first. Where the descriptor cannot be moved to it (see stdio.hpp), it is read
// through the FILE; of a pipe, where one cannot know how much that is, a token at a time, so as not to wait for more. A
// FILE* without a descriptor (fmemopen) stays with stdio.
HEADRACE_COLD inline source::source(std::FILE* file) : name_("<FILE*>"), descriptor_(descriptor_of(file)) {
  if (!sync_descriptor(file)) file_ = file;
  opened_ = descriptor_ < 0;
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
  owns_descriptor_ = false;
  if (own_name_ != nullptr) name_ = "<moved>";
  own_name_ = nullptr;
  opened_ = at_end_ = true;
}

inline void source::release() noexcept {
  if (owns_descriptor_) close_file(descriptor_);
  std::free(block_);
  std::free(own_name_);
}

// At the first refill: learns what the descriptor is, so that an error names it clearly.
HEADRACE_COLD inline std::errc source::open() {
  const file_info info = describe(descriptor_);
  if (info.error != 0) return static_cast<std::errc>(info.error);
  kind_ = info.kind;
  if (kind_ == file_kind::directory) return std::errc::is_a_directory;
  if (kind_ == file_kind::pipe) enlarge_pipe(descriptor_);
  can_be_read_again_ = kind_ == file_kind::regular && file_ == nullptr;
  if (can_be_read_again_) {
    const std::int64_t offset = tell(descriptor_);
    offset_ = offset < 0 ? 0 : static_cast<std::uint64_t>(offset);
    expected_size_ = info.size;
  }
  set_binary(descriptor_);
  opened_ = true;
  return std::errc{};
}

// Puts the unread bytes where at least a page can be read behind them.
inline std::errc source::make_room() {
  const auto unread = static_cast<std::size_t>(end - position);
  if (memory_ == nullptr && !can_be_read_again_ && position != begin_) {
    const newline_count gone = count_newlines(begin_, position);
    lines_ += gone.count;
    if (gone.behind_last != nullptr) line_begin_ = offset_of(gone.behind_last);
  }
  offset_ = offset_of(position);
  const bool room_behind = block_ != nullptr && end + least_front + slack <= block_ + block_size_;
  if (unread > least_front && room_behind) {  // to move a long token for every read would cost the square of its length
    begin_ = position;
    return std::errc{};
  }
  if (unread + 64 > front_) {  // a long token, or the first call
    const std::size_t front = unread == 0 ? least_front : 4096 + 2 * (unread + unread % 4096);
    const std::size_t size = 4096 + front + (unread < area_size ? area_size : unread) + slack;
    char* block = static_cast<char*>(std::malloc(size));
    if (block == nullptr) return std::errc::not_enough_memory;
    const std::size_t to_page = 4096 - reinterpret_cast<std::uintptr_t>(block) % 4096;
    front_ = to_page + front;
    if (unread != 0) std::memcpy(block + front_ - unread, position, unread);
    std::free(block_);
    block_ = block;
    block_size_ = size;
  } else {
    std::memmove(block_ + front_ - unread, position, unread);
  }
  end = block_ + front_;
  position = begin_ = end - unread;
  return std::errc{};
}

inline transfer source::read_more(char* to, std::size_t size) {
  if (memory_ != nullptr) {
    const std::size_t block = size < memory_size_ ? size : memory_size_;
    std::memcpy(to, memory_, block);
    memory_ += block;
    memory_size_ -= block;
    return {block, 0};
  }
  if (kind_ != file_kind::regular && before_waiting != nullptr) before_waiting();
  if (file_ != nullptr) return read_stdio(to, size);
#if HEADRACE_WINDOWS
  if (kind_ == file_kind::terminal) return read_console(descriptor_, to, size);
#endif
  return read_some(descriptor_, to, size);
}

HEADRACE_COLD inline transfer source::read_stdio(char* to, std::size_t size) {
  const std::int64_t held = descriptor_ < 0 ? -1 : held_by_stdio(file_);
  if (held > 0) {
    const auto most = static_cast<std::uint64_t>(held);
    return {std::fread(to, 1, most < size ? static_cast<std::size_t>(most) : size, file_), 0};
  }
  if (held == 0) {
    file_ = nullptr;
    return read_some(descriptor_, to, size);
  }
  std::size_t done = 0;
  int byte = 0;
  if (kind_ == file_kind::regular) done = std::fread(to, 1, size, file_);  // which never waits
  while (done < size && (done == 0 || !is_blank(to[done - 1])) && (byte = std::getc(file_)) != EOF) {
    to[done++] = static_cast<char>(byte);
  }
  return {done, done == 0 && std::ferror(file_) ? EIO : 0};
}

// The end of input: blanks behind it end the last token, and a file that has become shorter is an error.
HEADRACE_COLD inline std::errc source::finish() {
  at_end_ = true;
  std::memset(end, ' ', 64);
  if (can_be_read_again_) {
    const file_info now = describe(descriptor_);
    shrank_ = now.error == 0 && now.size < expected_size_ && offset_of(end) < expected_size_;
    if (shrank_) return std::errc::io_error;
  }
  return std::errc::no_message;
}

HEADRACE_COLD inline std::errc source::refill() {
  if (at_end_) return shrank_ ? std::errc::io_error : std::errc::no_message;
  if (!opened_) {
    const std::errc failed = open();
    if (failed != std::errc{}) return failed;
  }
  const std::errc failed = make_room();
  if (failed != std::errc{}) return failed;
  const std::size_t room = static_cast<std::size_t>(block_ + block_size_ - slack - end);
  const transfer got = read_more(end, room < area_size ? room : area_size);
  if (got.error != 0) return static_cast<std::errc>(got.error);
  if (got.size == 0) return finish();
  end += got.size;
  return std::errc{};
}

HEADRACE_COLD inline struct position source::where(const char* byte) const noexcept {
  struct position result{offset_of(byte), lines_ + 1, 0};
  std::uint64_t line_begin = line_begin_;
  const char* from = begin_;
  if (memory_ != nullptr) {  // all of it is still there, before memory_ stands what was read
    from = memory_ - (offset_ + static_cast<std::uint64_t>(end - begin_));
    byte = from + result.offset;
  } else if (can_be_read_again_) {
    char chunk[16 * 1024];
    std::uint64_t at = 0;
    while (at < offset_) {
      const std::uint64_t rest = offset_ - at;
      const transfer got =
          read_at(descriptor_, chunk, rest < sizeof chunk ? static_cast<std::size_t>(rest) : sizeof chunk, at);
      if (got.size == 0) break;
      const newline_count lines = count_newlines(chunk, chunk + got.size);
      result.line += lines.count;
      if (lines.behind_last != nullptr) line_begin = at + static_cast<std::uint64_t>(lines.behind_last - chunk);
      at += got.size;
    }
  }
  const newline_count lines = count_newlines(from, byte);
  result.line += lines.count;
  if (lines.behind_last != nullptr) line_begin = result.offset - static_cast<std::uint64_t>(byte - lines.behind_last);
  result.column = result.offset - line_begin + 1;
  return result;
}

inline const char* source::describe_failure(std::errc code) const {
  if (shrank_) return "the file became shorter while it was being read";
  return system_message(static_cast<int>(code));
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
