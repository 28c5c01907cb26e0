// Sources, which a program reads, and sinks, where its output goes. They are opened here; where the kernel offers no
// ready-made one (a pipe, a terminal) a thread of the launcher feeds or drains it.
#pragma once
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "output.hpp"
#include "system.hpp"

namespace launch {

// A pseudo-terminal of 80 x 24. The launcher keeps only the master side open: the child opens `path` itself, so
// that the last close of the slave is the child's own.
struct terminal {
  int master = -1;
  std::string path;
  bool raw = false;

  bool exists() const { return master >= 0; }

  void open(bool make_raw) {
    raw = make_raw;
    master = checked(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), "cannot open a pseudo-terminal");
    checked(grantpt(master), "grantpt");
    checked(unlockpt(master), "unlockpt");
    path = ptsname(master);
    const winsize size{24, 80, 0, 0};
    checked(ioctl(master, TIOCSWINSZ, &size), "cannot set the terminal's size");
    termios mode{};
    checked(tcgetattr(master, &mode), "tcgetattr");
    if (raw) cfmakeraw(&mode);
    mode.c_lflag &= ~static_cast<tcflag_t>(ECHO);  // an echo would mix the input into the output
    checked(tcsetattr(master, TCSANOW, &mode), "tcsetattr");
  }
};

// Adds text in which each "\n" became "\r\n" on its way: turned back, so that answers compare. `pending`: what came
// before ended in "\r"; returns whether this does.
inline bool add_text(const char* at, const char* end, bool pending, output& to) {
  while (at != end) {
    if (pending && *at != '\n') to.add("\r", 1);
    const char* const stop_at = std::find(at, end, '\r');
    to.add(at, static_cast<std::size_t>(stop_at - at));
    pending = stop_at != end;
    at = pending ? stop_at + 1 : end;
  }
  return pending;
}

// Reads a descriptor to its end; a pseudo-terminal ends by EIO. With `text`, see `add_text`.
inline void read_all(int descriptor, bool text, output& to) {
  static thread_local char block[65536];
  bool pending = false;
  for (;;) {
    const ssize_t got = read(descriptor, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    if (text) pending = add_text(block, block + got, pending, to);
    else to.add(block, static_cast<std::size_t>(got));
  }
  if (pending) to.add("\r", 1);
}

inline bool write_all(int descriptor, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t wrote = write(descriptor, bytes, count);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return false;
    bytes += wrote;
    count -= static_cast<std::size_t>(wrote);
  }
  return true;
}

// Moves a file into a pipe until either ends; a reader that leaves early (EPIPE) is no error.
inline void feed_pipe(int file, int pipe) {
  for (;;) {
    const ssize_t moved = splice(file, nullptr, pipe, nullptr, 1 << 20, 0);
    if (moved == 0) return;
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0 && errno == EINVAL) break;  // this file system cannot splice: copy instead
    if (moved < 0) return;
  }
  static char block[65536];
  for (ssize_t got; (got = read(file, block, sizeof block)) > 0;) {
    if (!write_all(pipe, block, static_cast<std::size_t>(got))) return;
  }
}

// A raw terminal knows no end of input but its hang-up, which drops what is still unread: wait until the child has
// read all, then hang up. poll, unlike FIONREAD, first moves typed bytes along that the kernel still holds back.
inline void hang_up_when_read(const terminal& from) {
  const int slave = ::open(from.path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC);
  for (int empty = 0; slave >= 0 && empty < 2;) {
    pollfd unread{slave, POLLIN, 0};
    empty = poll(&unread, 1, 0) == 0 ? empty + 1 : 0;
    usleep(200);
  }
  if (slave >= 0) close(slave);
  close(from.master);
}

// Types a file into a terminal, then ends the input as a person would: by ^D, or by a hang-up when it is raw.
inline void feed_terminal(int file, const terminal& to) {
  static char block[1024];
  char last = '\n';
  for (ssize_t got; (got = read(file, block, sizeof block)) > 0;) {
    last = block[got - 1];
    if (!write_all(to.master, block, static_cast<std::size_t>(got))) return;
  }
  if (to.raw) return hang_up_when_read(to);
  if (last != '\n') write_all(to.master, "\4", 1);  // the first ^D only hands over the unfinished line
  write_all(to.master, "\4", 1);
}

// Drops a file from the page cache. Returns the share that stayed (1 on tmpfs, which has no other place for it).
inline double drop_from_cache(int file) {
  struct stat facts{};
  if (fstat(file, &facts) != 0 || facts.st_size == 0) return 0;
  fdatasync(file);
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  const std::size_t size = static_cast<std::size_t>(facts.st_size);
  void* const view = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  if (view == MAP_FAILED) return 1;
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::string resident((size + page - 1) / page, '\0');
  std::size_t stayed = 0;
  if (mincore(view, size, reinterpret_cast<unsigned char*>(resident.data())) == 0) {
    for (const char flag : resident) stayed += static_cast<std::size_t>(flag & 1);
  }
  munmap(view, size);
  return static_cast<double>(stayed) / static_cast<double>(resident.size());
}

}  // namespace launch
