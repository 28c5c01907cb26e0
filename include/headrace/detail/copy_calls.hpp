// headrace/detail/copy_calls.hpp: the system calls of a copy. Not for users.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "../config.hpp"
#include "file.hpp"

#if defined(__linux__)
#include <sys/sendfile.h>
#endif

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

struct seek_result {
  std::int64_t offset = 0;
  int error = 0;
};

// The system calls of a copy, each made once. Tests put a class of the same shape in its place, which injects faults.
struct copy_calls {
  transfer read(int descriptor, char* to, std::size_t size) noexcept { return read_once(descriptor, to, size); }
  transfer write(int descriptor, const char* from, std::size_t size) noexcept {
    return write_once(descriptor, from, size);
  }
  seek_result seek(int descriptor, std::int64_t offset, int whence) noexcept {
    const std::int64_t found = detail::seek(descriptor, offset, whence);
    return found < 0 ? seek_result{0, errno} : seek_result{found, 0};
  }
  int resize(int descriptor, std::int64_t size) noexcept;  // errno or 0
  void wait(int descriptor, readiness wanted) noexcept { wait_until_ready(descriptor, wanted); }

  // What only some systems have: ENOSYS elsewhere, and reading and writing does the work.
  transfer copy_range(int from, int to, std::size_t size) noexcept;
  transfer splice(int from, int to, std::size_t size) noexcept;
  transfer send_file(int from, int to, std::size_t size) noexcept;
  int make_pipe(int (&ends)[2]) noexcept;
  int reserve(int descriptor, std::int64_t offset, std::int64_t size) noexcept;
  seek_result next_data(int descriptor, std::int64_t offset) noexcept;
  seek_result next_hole(int descriptor, std::int64_t offset) noexcept;
};

#if HEADRACE_WINDOWS
inline int copy_calls::resize(int descriptor, std::int64_t size) noexcept { return ::_chsize_s(descriptor, size); }
#else
inline int copy_calls::resize(int descriptor, std::int64_t size) noexcept {
#if defined(__GLIBC__) && defined(__USE_LARGEFILE64)
  return ::ftruncate64(descriptor, size) == 0 ? 0 : errno;
#else
  return ::ftruncate(descriptor, static_cast<off_t>(size)) == 0 ? 0 : errno;
#endif
}
#endif

#if defined(__linux__)
inline transfer copy_calls::copy_range(int from, int to, std::size_t size) noexcept {
  return transfer_of(::copy_file_range(from, nullptr, to, nullptr, size, 0));
}
inline transfer copy_calls::splice(int from, int to, std::size_t size) noexcept {
  return transfer_of(::splice(from, nullptr, to, nullptr, size, 0));
}
inline transfer copy_calls::send_file(int from, int to, std::size_t size) noexcept {
  return transfer_of(::sendfile(to, from, nullptr, size));
}
inline int copy_calls::make_pipe(int (&ends)[2]) noexcept { return ::pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }
inline int copy_calls::reserve(int descriptor, std::int64_t offset, std::int64_t size) noexcept {
  constexpr int keep_size = 1;  // FALLOC_FL_KEEP_SIZE of <linux/falloc.h>
#if defined(__GLIBC__) && defined(__USE_LARGEFILE64)
  return ::fallocate64(descriptor, keep_size, offset, size) == 0 ? 0 : errno;
#else
  return ::fallocate(descriptor, keep_size, static_cast<off_t>(offset), static_cast<off_t>(size)) == 0 ? 0 : errno;
#endif
}
#else
inline transfer copy_calls::copy_range(int, int, std::size_t) noexcept { return {0, ENOSYS}; }
inline transfer copy_calls::splice(int, int, std::size_t) noexcept { return {0, ENOSYS}; }
inline transfer copy_calls::send_file(int, int, std::size_t) noexcept { return {0, ENOSYS}; }
inline int copy_calls::make_pipe(int (&)[2]) noexcept { return ENOSYS; }
inline int copy_calls::reserve(int, std::int64_t, std::int64_t) noexcept { return ENOSYS; }
#endif

#if defined(SEEK_DATA) && defined(SEEK_HOLE)
inline seek_result copy_calls::next_data(int descriptor, std::int64_t offset) noexcept {
  return seek(descriptor, offset, SEEK_DATA);
}
inline seek_result copy_calls::next_hole(int descriptor, std::int64_t offset) noexcept {
  return seek(descriptor, offset, SEEK_HOLE);
}
#else
inline seek_result copy_calls::next_data(int, std::int64_t) noexcept { return {0, ENOSYS}; }
inline seek_result copy_calls::next_hole(int, std::int64_t) noexcept { return {0, ENOSYS}; }
#endif

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
