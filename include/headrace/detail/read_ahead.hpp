// headrace/detail/read_ahead.hpp: a thread that fetches bytes while another uses those that came. Not for users.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "../config.hpp"
#include "file.hpp"

#if HEADRACE_THREADS && !HEADRACE_WINDOWS
#include <condition_variable>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#endif

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// A socket with a limit of its own (SO_RCVTIMEO), of which poll(2) knows nothing.
#if HEADRACE_THREADS && !HEADRACE_WINDOWS
inline bool has_own_limit(int descriptor) noexcept {
  timeval limit{};
  socklen_t size = sizeof limit;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, &size) == 0 &&
         (limit.tv_sec != 0 || limit.tv_usec != 0);
}
#else
inline bool has_own_limit(int) noexcept { return false; }
#endif

// Waits for a descriptor until another thread wants no more of it.
class waker {
 public:
#if HEADRACE_THREADS && !HEADRACE_WINDOWS
  waker() noexcept {
#if defined(__linux__)
    (void)::pipe2(ends_, O_CLOEXEC);
#else
    (void)::pipe(ends_);
#endif
  }
  waker(const waker&) = delete;
  waker& operator=(const waker&) = delete;
  ~waker() {
    for (const int end : ends_) {
      if (end >= 0) close_file(end);
    }
  }

  bool is_there() const noexcept { return ends_[0] >= 0; }
  void wake() const noexcept { (void)write_once(ends_[1], "", 1); }

  // Until something can be read, or said about it; false: no more is wanted.
  bool wait_for(int descriptor) const noexcept {
    pollfd both[2] = {{descriptor, POLLIN, 0}, {ends_[0], POLLIN, 0}};
    while (::poll(both, 2, -1) < 0 && errno == EINTR) {}
    return both[1].revents == 0;
  }

 private:
  int ends_[2] = {-1, -1};
#else
  bool wait_for(int) const noexcept { return true; }
#endif
};

#if HEADRACE_THREADS && !HEADRACE_WINDOWS

// A ring of blocks. The thread fills one while the other end takes from those before it; each read is one block, so
// what has come is handed on at once. From::read(const waker&, char* to, std::size_t size) returns a transfer of at
// least one byte, 0 at the end, or an errno; it asks the waker before it waits for a descriptor.
template <class From>
class read_ahead {
 public:
  // The thread alone uses `from`, as soon as it has started.
  explicit read_ahead(From from) : from_(from), text_(new char[block_count * block_size]) {
    if (!wake_.is_there()) return;
#if defined(__cpp_exceptions)
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {  // no thread is to be had
    }
#else
    thread_ = std::thread([this] { run(); });
#endif
  }
  read_ahead(const read_ahead&) = delete;
  read_ahead& operator=(const read_ahead&) = delete;
  ~read_ahead() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard<std::mutex> hold(lock_);
      is_over_ = true;
    }
    changed_.notify_all();
    wake_.wake();  // it may wait for input that never comes
    thread_.join();
  }

  // False where no thread could be started.
  bool has_started() const noexcept { return thread_.joinable(); }

  // Answers a reader: bytes that have come, at least one; 0 at the end; -1 after a failure, which errno names.
  std::ptrdiff_t read(char* to, std::size_t size) {
    std::unique_lock<std::mutex> hold(lock_);
    changed_.wait(hold, [this] { return taken_ != filled_ || is_over_; });
    if (taken_ == filled_) {
      errno = error_;
      return error_ == 0 ? 0 : -1;
    }
    const std::size_t block = taken_ % block_count, rest = sizes_[block] - position_;
    const std::size_t count = rest < size ? rest : size;
    hold.unlock();  // a block that is filled and not yet taken is left alone by the thread
    std::memcpy(to, text_.get() + block * block_size + position_, count);
    position_ += count;
    if (count == rest) {
      position_ = 0;
      hold.lock();
      ++taken_;
      hold.unlock();
      changed_.notify_all();
    }
    return static_cast<std::ptrdiff_t>(count);
  }

 private:
  static constexpr std::size_t block_size = 128 * 1024, block_count = 4;

  void run() noexcept {
    for (bool is_over = false; !is_over;) {
      std::size_t block;
      {
        std::unique_lock<std::mutex> hold(lock_);
        changed_.wait(hold, [this] { return filled_ - taken_ < block_count || is_over_; });
        if (is_over_) return;
        block = filled_ % block_count;
      }
      const transfer got = from_.read(wake_, text_.get() + block * block_size, block_size);
      {
        const std::lock_guard<std::mutex> hold(lock_);
        sizes_[block] = got.size;
        error_ = got.error;
        is_over_ = is_over = got.size == 0 || is_over_;
        filled_ += got.size != 0;
      }
      changed_.notify_all();
    }
  }

  From from_;
  waker wake_;
  std::unique_ptr<char[]> text_;
  std::mutex lock_;  // of all that follows, but position_, which belongs to who takes
  std::condition_variable changed_;
  std::size_t sizes_[block_count] = {};
  std::size_t filled_ = 0;  // blocks since the start
  std::size_t taken_ = 0;
  std::size_t position_ = 0;  // in the block that is being taken
  int error_ = 0;
  bool is_over_ = false;
  std::thread thread_;
};

#endif

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
