// headrace/split/read_ahead.hpp: a thread that reads a pipe while another converts what came. Not for users.
#pragma once

#include <cerrno>
#include <cstring>
#include <memory>

#include "pieces.hpp"

#if HEADRACE_THREADS && !HEADRACE_WINDOWS
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#endif

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

#if HEADRACE_THREADS && !HEADRACE_WINDOWS

// A ring of blocks. The thread fills one while the other end takes from those before it; each read is one block, so
// what has come is handed on at once.
class read_ahead {
 public:
  explicit read_ahead(int descriptor) : descriptor_(descriptor), text_(new char[block_count * block_size]) {
    enlarge_pipe(descriptor);
    if (make_wake() != 0) return;
    refused_.by([this] { thread_ = std::thread([this] { run(); }); });
  }
  read_ahead(const read_ahead&) = delete;
  read_ahead& operator=(const read_ahead&) = delete;
  ~read_ahead() {
    if (thread_.joinable()) {
      {
        const std::lock_guard<std::mutex> hold(lock_);
        is_over_ = true;
      }
      changed_.notify_all();
      (void)write_once(wake_[1], "", 1);  // it may wait for input that never comes
      thread_.join();
    }
    for (const int end : wake_) {
      if (end >= 0) close_file(end);
    }
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

  int make_wake() noexcept {
#if defined(__linux__)
    return ::pipe2(wake_, O_CLOEXEC);
#else
    return ::pipe(wake_);
#endif
  }

  // Until something can be read, or said about it; false: the other end wants no more.
  bool wait_for_input() noexcept {
    pollfd both[2] = {{descriptor_, POLLIN, 0}, {wake_[0], POLLIN, 0}};
    while (::poll(both, 2, -1) < 0 && errno == EINTR) {}
    return both[1].revents == 0;
  }

  void run() noexcept {
    for (bool is_over = false; !is_over;) {
      std::size_t block;
      {
        std::unique_lock<std::mutex> hold(lock_);
        changed_.wait(hold, [this] { return filled_ - taken_ < block_count || is_over_; });
        if (is_over_) return;
        block = filled_ % block_count;
      }
      if (!wait_for_input()) return;
      const transfer got = read_some(descriptor_, text_.get() + block * block_size, block_size);
      {
        const std::lock_guard<std::mutex> hold(lock_);
        sizes_[block] = got.size;
        error_ = got.error;
        is_over_ = is_over = got.size == 0;
        filled_ += got.size != 0;
      }
      changed_.notify_all();
    }
  }

  int descriptor_;
  int wake_[2] = {-1, -1};
  std::unique_ptr<char[]> text_;
  std::mutex lock_;  // of all that follows, but position_, which belongs to who takes
  std::condition_variable changed_;
  std::size_t sizes_[block_count] = {};
  std::size_t filled_ = 0;  // blocks since the start
  std::size_t taken_ = 0;
  std::size_t position_ = 0;  // in the block that is being taken
  int error_ = 0;
  bool is_over_ = false;
  caught refused_;
  std::thread thread_;
};

// A socket with a limit of its own (SO_RCVTIMEO), of which poll(2) knows nothing.
inline bool has_own_limit(int descriptor) noexcept {
  timeval limit{};
  socklen_t size = sizeof limit;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, &size) == 0 &&
         (limit.tv_sec != 0 || limit.tv_usec != 0);
}

#endif

// Calls `action` with a reader of all of a file. One of a pipe has a thread that reads ahead, if there may be two.
template <class Action>
auto with_one_reader(const input_file& file, [[maybe_unused]] threads on, Action action) {
#if HEADRACE_THREADS && !HEADRACE_WINDOWS
  const bool can_wait = !file.is_regular() && file.error() == 0 && file.kind() != file_kind::directory;
  if (can_wait && threads_for(on, 2) > 1 && !has_own_limit(file.descriptor())) {
    read_ahead ahead(file.descriptor());
    if (ahead.has_started()) {
      reader from = reader::from(ahead, file.name());
      return action(from);
    }
  }
#endif
  reader from = file.whole();
  return action(from);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
