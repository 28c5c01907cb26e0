// headrace/detail/file.hpp: descriptors: opening, reading, writing, seeking. Nothing here throws or allocates; an error
// is an errno value, 0 where there is none.
#pragma once

#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "../config.hpp"

#if HEADRACE_WINDOWS
#include <io.h>
struct _CONSOLE_READCONSOLE_CONTROL;
struct _OVERLAPPED;
#else
#include <poll.h>
#include <unistd.h>
#endif

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

#if HEADRACE_WINDOWS
#if !defined(_WINDOWS_)
// As <windows.h> declares them; that header costs more than this whole library, and its macros. Where it came first,
// its own declarations are used, which differ between releases of MinGW.
extern "C" {
__declspec(dllimport) unsigned long __stdcall GetLastError();
__declspec(dllimport) int __stdcall GetConsoleMode(void* handle, unsigned long* mode);
__declspec(dllimport) int __stdcall WriteConsoleW(void* handle, const void* units, unsigned long count,
                                                  unsigned long* written, void* reserved);
__declspec(dllimport) int __stdcall ReadConsoleW(void* handle, void* units, unsigned long count, unsigned long* got,
                                                 ::_CONSOLE_READCONSOLE_CONTROL* control);
__declspec(dllimport) int __stdcall ReadFile(void* handle, void* to, unsigned long size, unsigned long* got,
                                             ::_OVERLAPPED* place);
__declspec(dllimport) void __stdcall Sleep(unsigned long milliseconds);
}
#endif
#endif

// Bytes moved by one or more system calls, and the errno that stopped them (0: none).
struct transfer {
  std::size_t size = 0;
  int error = 0;
};

enum class file_kind : unsigned char { regular, pipe, terminal, socket, directory, other };

struct file_info {
  file_kind kind = file_kind::other;
  std::uint64_t size = 0;       // of a regular file
  std::uint64_t allocated = 0;  // bytes on the medium: less than `size` where the file has holes
  std::uint64_t device = 0;     // device and inode name the file, whatever its path; 0 and 0 on Windows
  std::uint64_t inode = 0;
  int error = 0;  // errno of fstat: the descriptor is closed
};

// keep: written from its start on; what comes after that stays.
enum class open_mode : unsigned char { read, truncate, append, keep };

file_info describe(int descriptor) noexcept;

// Opens `path`; close-on-exec, binary. Returns the descriptor, or -1 with errno set.
int open_file(const char* path, open_mode mode) noexcept;

// Closes it once; an EINTR still closes on every system we know. Returns errno or 0.
int close_file(int descriptor) noexcept;

// The descriptor of a stream, or -1 where it has none.
int descriptor_of(std::FILE* stream) noexcept;

// One system call that reads or writes at most 1 GiB, and whatever it says. Size 0 without an error is the end.
transfer read_once(int descriptor, char* to, std::size_t size) noexcept;
transfer write_once(int descriptor, const char* from, std::size_t size) noexcept;

// One read(2): EINTR is retried; EAGAIN waits with poll.
transfer read_some(int descriptor, char* to, std::size_t size) noexcept;

// Reads at an offset, leaving the descriptor where it is (regular files only).
transfer read_at(int descriptor, char* to, std::size_t size, std::uint64_t offset) noexcept;

// write(2) until all is written: partial writes are resumed, EINTR is retried, EAGAIN waits, and no single call asks
// for more than 1 GiB. transfer.size says how many bytes were written before an error. On Windows the bytes
// arrive as they are even where the descriptor is in text mode, which stays as it was for everybody else.
transfer write_all(int descriptor, const char* from, std::size_t size) noexcept;

// lseek(2) with 64-bit offsets everywhere: the new offset, or -1 with errno set.
std::int64_t seek(int descriptor, std::int64_t offset, int whence) noexcept;

// Where the descriptor is, or -1 with errno set where it cannot seek.
std::int64_t tell(int descriptor) noexcept;

// Asks Linux for a pipe of `size` bytes; a smaller limit or another system leaves it as it is. A 64 KiB pipe
// costs a wake-up for every 64 KiB; 256 KiB doubled the speed of a fast reader.
void enlarge_pipe(int descriptor, int size = 256 * 1024) noexcept;

// Windows: no translation of line ends, no end of file at ^Z. Nothing elsewhere.
void set_binary(int descriptor) noexcept;

// A copy of a path, or of what else messages call something, for free(); nullptr where there is no memory for it.
char* copy_name(const char* name) noexcept;

// ---------------------------------------------------------------------------------------------------------------

inline constexpr std::size_t max_transfer = std::size_t{1} << 30;

#if HEADRACE_WINDOWS
inline void* handle_of(int descriptor) noexcept { return reinterpret_cast<void*>(::_get_osfhandle(descriptor)); }

// Not _isatty, which takes the null device for a terminal, too.
inline bool is_console(int descriptor) noexcept {
  unsigned long mode = 0;
  return GetConsoleMode(handle_of(descriptor), &mode) != 0;
}
#endif

// errno for a _write that failed. A pipe whose reader is gone is EINVAL to the C library, where the system says
// ERROR_NO_DATA or ERROR_BROKEN_PIPE.
#if HEADRACE_WINDOWS
inline int write_error() noexcept { return _doserrno == 232 || _doserrno == 109 ? EPIPE : errno; }
#else
inline int write_error() noexcept { return errno; }
#endif

// Windows turns "\n" into "\r\n" on descriptors in text mode; within this object's life one moves bytes.
class binary_mode {
 public:
#if HEADRACE_WINDOWS
  explicit binary_mode(int descriptor) noexcept
      : descriptor_(descriptor), before_(descriptor < 0 ? -1 : ::_setmode(descriptor, _O_BINARY)) {}
  ~binary_mode() {
    if (before_ != -1 && before_ != _O_BINARY) ::_setmode(descriptor_, before_);
  }
  binary_mode(const binary_mode&) = delete;
  binary_mode& operator=(const binary_mode&) = delete;

 private:
  int descriptor_;
  int before_;
#else
  explicit binary_mode(int) noexcept {}
#endif
};

// A 32-bit glibc has 64-bit offsets in functions of their own; everybody else has them in the plain ones.
#if HEADRACE_WINDOWS
using file_status = struct _stat64;
inline int status_of(int descriptor, file_status* status) noexcept { return ::_fstat64(descriptor, status); }
inline std::int64_t seek(int descriptor, std::int64_t offset, int whence) noexcept {
  return ::_lseeki64(descriptor, offset, whence);
}
#elif defined(__GLIBC__) && defined(__USE_LARGEFILE64)
using file_status = struct stat64;
inline int status_of(int descriptor, file_status* status) noexcept { return ::fstat64(descriptor, status); }
inline std::int64_t seek(int descriptor, std::int64_t offset, int whence) noexcept {
  return ::lseek64(descriptor, offset, whence);
}
#else
using file_status = struct stat;
inline int status_of(int descriptor, file_status* status) noexcept { return ::fstat(descriptor, status); }
inline std::int64_t seek(int descriptor, std::int64_t offset, int whence) noexcept {
  return static_cast<std::int64_t>(::lseek(descriptor, static_cast<off_t>(offset), whence));
}
#endif

// The reasons to wait at a non-blocking descriptor. Windows has no such descriptors.
enum class readiness : short {
#if HEADRACE_WINDOWS
  to_read,
  to_write
#else
  to_read = POLLIN,
  to_write = POLLOUT
#endif
};

// Waits until a non-blocking descriptor can go on, or a signal comes.
HEADRACE_COLD inline void wait_until_ready([[maybe_unused]] int descriptor,
                                           [[maybe_unused]] readiness wanted) noexcept {
#if !HEADRACE_WINDOWS
  pollfd request{descriptor, static_cast<short>(wanted), 0};
  ::poll(&request, 1, -1);
#endif
}

// Makes a transfer of what a system call that moves bytes returned.
template <class Size>
transfer transfer_of(Size size) noexcept {
  return size < 0 ? transfer{0, errno} : transfer{static_cast<std::size_t>(size), 0};
}

// For an object that is not ready, which has no descriptor to wait for.
inline void wait_a_moment() noexcept {
#if HEADRACE_WINDOWS
  Sleep(1);
#else
  ::poll(nullptr, 0, 1);
#endif
}

// Makes a call again after a signal, and after `wait()` where a descriptor that does not block was not ready. The one
// loop of its kind: everything that may be interrupted goes through it.
template <class Call, class Wait>
HEADRACE_INLINE transfer insist(Call call, Wait wait) {
  for (;;) {
    const transfer done = call();
    if (done.error == EINTR) continue;
    if (done.error != EAGAIN && done.error != EWOULDBLOCK) return done;
    wait();
  }
}

inline file_info describe(int descriptor) noexcept {
  file_info info;
  file_status status;
#if HEADRACE_WINDOWS
  errno = EBADF;  // not every C library there sets it
#endif
  if (status_of(descriptor, &status) != 0) {
    info.error = errno;
    return info;
  }
#if !HEADRACE_WINDOWS
  info.device = static_cast<std::uint64_t>(status.st_dev);
  info.inode = static_cast<std::uint64_t>(status.st_ino);
#endif
  switch (status.st_mode & S_IFMT) {
    case S_IFREG:
      info.kind = file_kind::regular;
      info.size = static_cast<std::uint64_t>(status.st_size);
#if HEADRACE_WINDOWS
      info.allocated = info.size;
#else
      info.allocated = static_cast<std::uint64_t>(status.st_blocks) * 512;
#endif
      break;
    case S_IFDIR:
      info.kind = file_kind::directory;
      break;
    case S_IFIFO:
      info.kind = file_kind::pipe;
      break;
#if HEADRACE_WINDOWS
    case S_IFCHR:
      if (is_console(descriptor)) info.kind = file_kind::terminal;
      break;
#else
    case S_IFCHR:
      if (::isatty(descriptor)) info.kind = file_kind::terminal;
      break;
    case S_IFSOCK:
      info.kind = file_kind::socket;
      break;
#endif
    default:
      break;
  }
  return info;
}

inline int open_file(const char* path, open_mode mode) noexcept {
#if HEADRACE_WINDOWS
  const int flags[] = {_O_RDONLY, _O_WRONLY | _O_CREAT | _O_TRUNC, _O_WRONLY | _O_CREAT | _O_APPEND,
                       _O_WRONLY | _O_CREAT};
  return ::_open(path, flags[static_cast<int>(mode)] | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
#else
  const int flags[] = {O_RDONLY, O_WRONLY | O_CREAT | O_TRUNC, O_WRONLY | O_CREAT | O_APPEND, O_WRONLY | O_CREAT};
  int always = O_CLOEXEC;
#if defined(O_LARGEFILE)
  always |= O_LARGEFILE;  // files over 2 GiB in a 32-bit program
#endif
  int descriptor = -1;
  const auto call = [&] {
    descriptor = ::open(path, flags[static_cast<int>(mode)] | always, 0666);
    return transfer{0, descriptor < 0 && errno == EINTR ? EINTR : 0};
  };
  insist(call, [] {});
  return descriptor;
#endif
}

inline int close_file(int descriptor) noexcept {
#if HEADRACE_WINDOWS
  return ::_close(descriptor) == 0 ? 0 : errno;
#else
  return ::close(descriptor) == 0 || errno == EINTR ? 0 : errno;
#endif
}

inline int descriptor_of(std::FILE* stream) noexcept {
#if HEADRACE_WINDOWS
  return ::_fileno(stream);
#else
  return ::fileno(stream);
#endif
}

inline transfer read_once(int descriptor, char* to, std::size_t size) noexcept {
  if (size > max_transfer) size = max_transfer;
#if HEADRACE_WINDOWS
  const transfer done = transfer_of(::_read(descriptor, to, static_cast<unsigned>(size)));
  return done.error == EPIPE ? transfer{} : done;  // the writing end was closed: the end of a pipe
#else
  return transfer_of(::read(descriptor, to, size));
#endif
}

inline transfer write_once(int descriptor, const char* from, std::size_t size) noexcept {
  if (size > max_transfer) size = max_transfer;
#if HEADRACE_WINDOWS
  const auto put = ::_write(descriptor, from, static_cast<unsigned>(size));
  return put < 0 ? transfer{0, write_error()} : transfer_of(put);
#else
  return transfer_of(::write(descriptor, from, size));
#endif
}

inline transfer read_some(int descriptor, char* to, std::size_t size) noexcept {
  return insist([&] { return read_once(descriptor, to, size); },
                [&] { wait_until_ready(descriptor, readiness::to_read); });
}

inline transfer read_at(int descriptor, char* to, std::size_t size, std::uint64_t offset) noexcept {
#if HEADRACE_WINDOWS
  struct {  // an OVERLAPPED
    std::uintptr_t internal[2];
    unsigned long offset[2];
    void* event;
  } place{{}, {static_cast<unsigned long>(offset), static_cast<unsigned long>(offset >> 32)}, nullptr};
  const std::int64_t before =
      tell(descriptor);  // which ReadFile moves; several threads may read at places of their own
  if (before < 0) return {0, errno};
  unsigned long got = 0;
  const auto wanted = static_cast<unsigned long>(size < max_transfer ? size : max_transfer);
  const bool done = ReadFile(handle_of(descriptor), to, wanted, &got, reinterpret_cast<::_OVERLAPPED*>(&place)) != 0;
  const bool at_end = !done && GetLastError() == 38;  // ERROR_HANDLE_EOF
  seek(descriptor, before, SEEK_SET);
  return {got, done || at_end ? 0 : EIO};
#else
  const auto call = [&] {
#if defined(__GLIBC__) && defined(__USE_LARGEFILE64)
    return transfer_of(::pread64(descriptor, to, size, static_cast<off64_t>(offset)));
#else
    return transfer_of(::pread(descriptor, to, size, static_cast<off_t>(offset)));
#endif
  };
  return insist(call, [&] { wait_until_ready(descriptor, readiness::to_read); });
#endif
}

HEADRACE_COLD inline transfer write_all(int descriptor, const char* from, std::size_t size) noexcept {
  transfer all;
  [[maybe_unused]] const binary_mode bytes(descriptor);
  while (all.size < size && all.error == 0) {
    const transfer done = insist([&] { return write_once(descriptor, from + all.size, size - all.size); },
                                 [&] { wait_until_ready(descriptor, readiness::to_write); });
    all.size += done.size;
    // A device that takes nothing and names no error would loop for ever.
    all.error = done.size == 0 && done.error == 0 ? EIO : done.error;
  }
  return all;
}

inline std::int64_t tell(int descriptor) noexcept { return seek(descriptor, 0, SEEK_CUR); }

inline char* copy_name(const char* name) noexcept {
  const std::size_t size = std::strlen(name) + 1;
  char* const copy = static_cast<char*>(std::malloc(size));
  if (copy != nullptr) std::memcpy(copy, name, size);
  return copy;
}

inline void set_binary([[maybe_unused]] int descriptor) noexcept {
#if HEADRACE_WINDOWS
  ::_setmode(descriptor, _O_BINARY);
#endif
}

inline void enlarge_pipe([[maybe_unused]] int descriptor, [[maybe_unused]] int size) noexcept {
#if defined(F_SETPIPE_SZ) && defined(F_GETPIPE_SZ)
  const int saved = errno;
  if (::fcntl(descriptor, F_GETPIPE_SZ) < size) ::fcntl(descriptor, F_SETPIPE_SZ, size);
  errno = saved;
#endif
}

// ---- a descriptor with several users ----

// A descriptor that several sources read by pread(2), each from a place of its own; the last one closes it.
struct shared_descriptor {
  int descriptor;
  unsigned users;
};

inline void retain(shared_descriptor* shared) noexcept { __atomic_add_fetch(&shared->users, 1u, __ATOMIC_RELAXED); }

inline void release(shared_descriptor* shared) noexcept {
  if (__atomic_sub_fetch(&shared->users, 1u, __ATOMIC_ACQ_REL) != 0) return;
  close_file(shared->descriptor);
  std::free(shared);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
