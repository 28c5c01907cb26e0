// headrace/replace/put_off_flushes.hpp: flushes of a regular file that wait, with HEADRACE_PUT_OFF_FLUSHES. Not for
// users.
//
// A program that flushes after each line of a file asks the system as often. Another process sees those bytes in the
// file at once, and a kill does not lose them; a program that needs neither may remember a flush as a place in the
// buffer. It is done before the program waits for input, forks, exits, or is ended by a signal that can be caught.
#pragma once

#include <csignal>
#include <initializer_list>
#include <iostream>
#include <new>
#include <streambuf>

#include <pthread.h>
#include <sys/stat.h>

#include "../config.hpp"
#include "../detail/file.hpp"
#include "standard_streams.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

inline void write_put_off() noexcept { output_place.stream.buffer.write_put_off(); }

// Ends the process by the signal that it would have died of, once the flushed bytes are out.
inline void flush_and_die(int signal) noexcept {
  write_put_off();
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
  ::pthread_atfork(write_put_off, nullptr, nullptr);
}

// True where standard output is a regular file or the null device.
HEADRACE_COLD inline bool watch_a_file() noexcept {
  struct stat end, null;
  if (::fstat(1, &end) != 0) return false;
  const bool is_null = S_ISCHR(end.st_mode) && ::stat("/dev/null", &null) == 0 && end.st_rdev == null.st_rdev;
  if (!is_null && !S_ISREG(end.st_mode)) return false;
  watch_the_end();
  return true;
}

// A program that runs others, or ends past its exit handlers, gets each flush when it asks for it.
inline bool may_wait() noexcept {
  if (!is_alone) return false;
  static const bool is_file = watch_a_file();
  return is_file;
}

// Flushes standard output at once: what std::cerr is tied to, whose own bytes are not put off.
class flusher final : public std::streambuf {
 protected:
  int sync() override { return output_place.stream.buffer.write_out() ? 0 : -1; }
};
inline lasting<flusher> flusher_place;
inline lasting<std::ostream> cerr_tie_place;

// After the `user` of the same file.
static const bool puts_off = [] {
  output& out = output_place.stream;
  if (out.buffer.may_put_off != nullptr || out.is_shared()) return true;
  out.buffer.may_put_off = may_wait;
  new (&flusher_place.stream) flusher;
  new (&cerr_tie_place.stream) std::ostream(&flusher_place.stream);
  std::cerr.tie(&cerr_tie_place.stream);
  return true;
}();

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
