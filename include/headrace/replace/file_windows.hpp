// headrace/replace/file_windows.hpp: what a FILE's buffer holds, and the room in it. Not for users.
//
// The GNU C library compiles getc_unlocked and putc_unlocked into programs as moves of two pointers of the FILE, which
// is why these pointers stay as they are from version to version. What is read here is between the one pair, what is
// written between the other. Where the C library wants to see each byte (nothing read yet, a line-buffered or
// unbuffered stream, the end of the buffer) the pair is empty.
#pragma once

#include <cstddef>
#include <cstdio>

#include <sys/single_threaded.h>

#include "../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// Bytes that wait in a FILE, or room for more.
struct file_window {
  char* begin;
  char* end;
  bool is_empty() const noexcept { return begin == end; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(end - begin); }
};

// Other threads may use the FILE, too, once there are any; a stream of wide characters has its text elsewhere.
HEADRACE_INLINE bool may_look_into(const std::FILE* file) noexcept {
  return likely(__libc_single_threaded != 0 && file->_mode <= 0);
}

// Empty where the bytes are the C library's business.
HEADRACE_INLINE file_window held_of(const std::FILE* file) noexcept {
  char* const begin = file->_IO_read_ptr;
  char* const end = file->_IO_read_end;
  return {begin, begin < end && may_look_into(file) ? end : begin};
}
HEADRACE_INLINE file_window room_of(const std::FILE* file) noexcept {
  char* const begin = file->_IO_write_ptr;
  char* const end = file->_IO_write_end;
  return {begin, begin < end && may_look_into(file) ? end : begin};
}

// Says how far the window has been read or written.
HEADRACE_INLINE void read_up_to(std::FILE* file, const char* place) noexcept {
  file->_IO_read_ptr = const_cast<char*>(place);
}
HEADRACE_INLINE void written_up_to(std::FILE* file, char* place) noexcept { file->_IO_write_ptr = place; }

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
