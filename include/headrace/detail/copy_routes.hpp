// headrace/detail/copy_routes.hpp: which way the bytes of a copy take. Not for users.
#pragma once

#include <cstdint>

#include "../config.hpp"
#include "file.hpp"

#if defined(__linux__)
#include <sys/vfs.h>
#endif

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// How bytes go from one kind of end to another. Chosen by measurement (the benchmark `copy`): what moves inside the
// kernel wins wherever one end is a pipe or a device, because nothing is copied; between files it must copy anyway,
// and then large reads and writes win over copy_file_range, unless the file system can share the bytes. From a file to
// a pipe a pipe of our own in between is 1.1 to 1.6 times as fast as splice(2) to the pipe itself, whether what reads
// it copies the bytes or splices them on.
//
// What moves inside the kernel are the pages of the file themselves: a snapshot has to be copied.
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

// What a file system offers to a copy. Named by the magic numbers of statfs(2).
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
