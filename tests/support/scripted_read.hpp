// A descriptor whose reads give what a test wants: this text, cut here and there, interrupted now and then.
// The reads of the whole program pass by here: POSIX by a read() that takes the place of the C library's, Windows by a
// macro. So include this in one file only, and before headrace.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>

#if defined(_WIN32)
#include <io.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#else
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace test {

class scripted_read {
 public:
  // The next read gives at most as many bytes as `next_size` says (at least 1); 0 means that it fails with EINTR, which
  // Windows does not know: a byte there.
  using sizes = std::function<std::size_t(std::size_t offset)>;

  // `kind` is the descriptor that the reader sees, a pipe's end or a file of the same text: what it is decides how
  // positions are found.
  scripted_read(int descriptor, std::string_view text, sizes next_size)
      : descriptor_(descriptor), text_(text), next_size_(std::move(next_size)) {
#if defined(_WIN32)
    can_seek_ = ::_telli64(descriptor) >= 0;
#endif
    active = this;
  }
  ~scripted_read() { active = nullptr; }
  scripted_read(const scripted_read&) = delete;
  scripted_read& operator=(const scripted_read&) = delete;

  int descriptor() const { return descriptor_; }
  bool can_seek() const { return can_seek_; }
  std::size_t offset() const { return at_; }

  ssize_t read(void* to, std::size_t size) {
    const std::size_t left = text_.size() - at_;
    std::size_t block = left == 0 ? 0 : next_size_(at_);
    if (left != 0 && block == 0) {
#if defined(_WIN32)
      block = 1;
#else
      errno = EINTR;
      return -1;
#endif
    }
    if (block > size) block = size;
    if (block > left) block = left;
    if (block != 0) std::memcpy(to, text_.data() + at_, block);
    at_ += block;
    return static_cast<ssize_t>(block);
  }

  static inline scripted_read* active = nullptr;

 private:
  int descriptor_;
  std::string_view text_;
  sizes next_size_;
  std::size_t at_ = 0;
  bool can_seek_ = false;  // asked for on Windows only
};

}  // namespace test

#if defined(_WIN32)
// A file is read again, before the place where the text goes on, when a position is asked for.
inline int headrace_test_read(int descriptor, void* to, unsigned size) {
  test::scripted_read* const script = test::scripted_read::active;
  if (script == nullptr || script->descriptor() != descriptor) return ::_read(descriptor, to, size);
  if (!script->can_seek()) return static_cast<int>(script->read(to, size));
  if (::_telli64(descriptor) != static_cast<std::int64_t>(script->offset())) return ::_read(descriptor, to, size);
  const auto got = script->read(to, size);
  ::_lseeki64(descriptor, got, SEEK_CUR);
  return static_cast<int>(got);
}
#define _read headrace_test_read
#else
extern "C" ssize_t read(int descriptor, void* to, size_t size) {
  test::scripted_read* const script = test::scripted_read::active;
  if (script != nullptr && script->descriptor() == descriptor) return script->read(to, size);
  return static_cast<ssize_t>(::syscall(SYS_read, descriptor, to, size));
}
#endif
