// A descriptor whose read(2) gives what a test wants: this text, cut here and there, interrupted now and then.
// The definition of read() below takes the place of the C library's in the whole program: include it in one file only.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string_view>

#include <sys/syscall.h>
#include <unistd.h>

namespace test {

class scripted_read {
 public:
  // The next read gives at most as many bytes as `next_size` says (at least 1); 0 means that it fails with EINTR.
  using sizes = std::function<std::size_t(std::size_t offset)>;

  // `kind` is the descriptor that the reader sees, a pipe's end or a file of the same text: what it is decides how
  // positions are found.
  scripted_read(int descriptor, std::string_view text, sizes next_size)
      : descriptor_(descriptor), text_(text), next_size_(std::move(next_size)) {
    active = this;
  }
  ~scripted_read() { active = nullptr; }
  scripted_read(const scripted_read&) = delete;
  scripted_read& operator=(const scripted_read&) = delete;

  int descriptor() const { return descriptor_; }

  ssize_t read(void* to, std::size_t size) {
    const std::size_t left = text_.size() - at_;
    std::size_t block = left == 0 ? 0 : next_size_(at_);
    if (left != 0 && block == 0) {
      errno = EINTR;
      return -1;
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
};

}  // namespace test

extern "C" ssize_t read(int descriptor, void* to, size_t size) {
  test::scripted_read* const script = test::scripted_read::active;
  if (script != nullptr && script->descriptor() == descriptor) return script->read(to, size);
  return static_cast<ssize_t>(::syscall(SYS_read, descriptor, to, size));
}
