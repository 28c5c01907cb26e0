// headrace/replace/flushes.hpp: flushes that were asked for and not done yet. Not for users.
//
// A program that flushes after each line of a file asks the system as often. Nobody can tell when those bytes reach a
// regular file, but by the program's end, by another process that it starts, or by what it says elsewhere. So a flush
// is remembered as a place in the buffer, and done at those moments.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

#include "../config.hpp"
#include "../detail/file.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// Bytes of standard output of which a flush was asked for. Read by a signal handler.
struct pending_flush {
  const char* volatile begin = nullptr;  // the first byte that was not written
  const char* volatile end = nullptr;    // where the buffer was when the flush was asked for; nullptr: none was
  bool eager = false;                    // each flush is done at once
  bool shares_places = false;            // another process may move this one's places in its files
};
inline pending_flush flushes;

// Writes what a flush was asked for; a buffer sees by `begin` what is left to write. Async-signal-safe.
inline void do_flushes() noexcept {
  if (flushes.end == nullptr) return;
  const char* const from = flushes.begin;
  const char* const to = flushes.end;
  flushes.begin = to;
  flushes.end = nullptr;
  if (from < to) write_all(1, from, static_cast<std::size_t>(to - from));
}

inline void note_fork() noexcept { flushes.shares_places = true; }

// The place of standard input or output in its file, kept so that asking for it again needs no system call.
class kept_place {
 public:
  explicit constexpr kept_place(int descriptor) noexcept : descriptor_(descriptor) {}

  // Negative where there is none.
  std::int64_t now() noexcept {
    if (known_ && !flushes.shares_places && !flushes.eager) return place_;
    place_ = tell(descriptor_);
    known_ = may_keep() && place_ >= 0;
    return place_;
  }
  // So many bytes were read or written.
  void move_by(std::size_t count) noexcept { place_ += static_cast<std::int64_t>(count); }
  void forget() noexcept { known_ = false; }

 private:
  // True for a regular file that nothing else of this process writes to, or reads from, and that is not appended to.
  bool may_keep() noexcept {
    if (looked_) return alone_;
    looked_ = true;
    struct stat own, other;
    alone_ = ::fstat(descriptor_, &own) == 0 && S_ISREG(own.st_mode) && (::fcntl(descriptor_, F_GETFL) & O_APPEND) == 0;
    for (int standard = 0; standard != 3; ++standard) {
      if (standard == descriptor_ || ::fstat(standard, &other) != 0) continue;
      alone_ = alone_ && (other.st_ino != own.st_ino || other.st_dev != own.st_dev);
    }
    if (alone_) ::pthread_atfork(nullptr, note_fork, note_fork);
    return alone_;
  }

  const int descriptor_;
  bool known_ = false;
  bool looked_ = false;
  bool alone_ = false;
  std::int64_t place_ = 0;
};

// Ends the process by the signal that it would have died of, once the flushed bytes are out.
inline void flush_and_die(int signal) noexcept {
  do_flushes();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// Called when a flush is put off for the first time. A signal that the program or its parent deals with is left alone.
HEADRACE_COLD inline void watch_the_end() noexcept {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGINT, SIGHUP, SIGXCPU, SIGALRM}) {
    struct sigaction now;
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction wanted = {};
    wanted.sa_handler = flush_and_die;
    wanted.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    ::sigaction(signal, &wanted, nullptr);
  }
  ::pthread_atfork(do_flushes, nullptr, nullptr);
}

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
