// headrace/detail/copy_calls.hpp: the system calls of a copy, and which of them move its bytes. Not for users.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "../config.hpp"
#include "file.hpp"

#if defined(__linux__)
#include <sys/sendfile.h>
#include <sys/vfs.h>
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

  // Only some systems have these: ENOSYS elsewhere, and reading and writing does the work.
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

// ---- which way the bytes take ----

// How bytes go from one kind of end to another. Chosen by measurement (the benchmark `copy`): what moves inside the
// kernel wins wherever one end is a pipe or a device, because nothing is copied; between files it must copy anyway,
// and then large reads and writes win over copy_file_range, unless the file system can share the bytes. From a file to
// a pipe a pipe of our own in between is 1.1 to 1.6 times as fast as splice(2) to the pipe itself, whether what reads
// it copies the bytes or splices them on.
//
// The kernel moves the pages of the file themselves: a snapshot has to be copied.
enum class copy_route : unsigned char { between_files, read_write, splice, splice_through_pipe, send_file };

constexpr copy_route choose_copy_route(file_kind from, file_kind to, bool snapshot = false) noexcept {
  if (from == file_kind::terminal || to == file_kind::terminal) return copy_route::read_write;
  if (from == file_kind::regular && to == file_kind::regular) return copy_route::between_files;
  if (to == file_kind::regular || (from == file_kind::regular && snapshot)) return copy_route::read_write;
  if (from == file_kind::regular) {
    return to == file_kind::socket ? copy_route::send_file : copy_route::splice_through_pipe;
  }
  if (from == file_kind::pipe || to == file_kind::pipe) return copy_route::splice;
  return copy_route::read_write;
}

// A file system's gifts to a copy, found by the magic numbers of statfs(2).
struct file_system_traits {
  bool shares_bytes = false;   // copy_file_range clones extents, or copies on the server
  bool likes_reserve = false;  // fallocate saves the allocation block by block
};

inline file_system_traits file_system_of([[maybe_unused]] int descriptor) noexcept {
  file_system_traits traits;
#if defined(__linux__)
  struct statfs status;
  if (::fstatfs(descriptor, &status) != 0) return traits;
  switch (static_cast<std::uint32_t>(status.f_type)) {
    case 0x9123683eu:  // btrfs
    case 0x58465342u:  // xfs
    case 0xca451a4eu:  // bcachefs
    case 0x7461636fu:  // ocfs2
    case 0x2fc12fc1u:  // zfs
    case 0x6969u:      // nfs
    case 0xff534d42u:  // cifs
    case 0xfe534d42u:  // smb2
      traits.shares_bytes = true;
      break;
    case 0x01021994u:  // tmpfs: reserving fills every page with zeros first, x1.08
    case 0x858458f6u:  // ramfs
      break;
    default:  // ext4 and its like: x0.6
      traits.likes_reserve = true;
      break;
  }
#endif
  return traits;
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
