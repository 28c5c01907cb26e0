// headrace/detail/stdio.hpp: a FILE* and its descriptor, whose positions differ by what stdio has read ahead. Not for
// users.
//
// To go on at the descriptor, what stdio holds must come first:
//   - of a source that can seek, the descriptor is told to go back to where the FILE is: sync_descriptor();
//   - otherwise the bytes that are held are read through the FILE, if the C library says how many they are;
//   - otherwise all of it stays with stdio.
// ungetc may have pushed back bytes that are not in the file. fflush() drops these, so a FILE that holds such bytes is
// one of the second kind. Only glibc shows them; elsewhere every FILE is one of the third kind.
#pragma once

#include <cstdint>
#include <cstdio>

#include "../config.hpp"
#include "file.hpp"
#include "../error.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// True while a FILE hands out bytes that were pushed back and differ from those of the file; then the others wait in
// the saved area. True also where the C library does not tell.
inline bool may_hold_other_bytes([[maybe_unused]] const std::FILE* stream) noexcept {
#if defined(__GLIBC__)
  constexpr int in_backup = 0x100;
  return (stream->_flags & in_backup) != 0;
#else
  return true;
#endif
}

// How many bytes stdio has read of a stream and not handed out, with those that were pushed back, or -1 where the C
// library does not tell. fread hands them out without reading more.
inline std::int64_t held_by_stdio([[maybe_unused]] const std::FILE* stream) noexcept {
#if defined(__GLIBC__)
  const std::int64_t held = stream->_IO_read_end - stream->_IO_read_ptr;
  return may_hold_other_bytes(stream) ? held + (stream->_IO_save_end - stream->_IO_save_base) : held;
#else
  return -1;
#endif
}

// Moves the descriptor to where the FILE is, so that reading can go on there. False, and nothing was moved, where
// what the FILE holds has to be read through it.
__attribute__((noinline)) inline bool sync_descriptor(std::FILE* stream) noexcept {
  return !may_hold_other_bytes(stream) && tell(descriptor_of(stream)) >= 0 && std::fflush(stream) == 0;
}

// fseek with 64-bit offsets.
inline void seek_stream(std::FILE* stream, std::int64_t offset, int whence) noexcept {
#if HEADRACE_WINDOWS
  ::_fseeki64(stream, offset, whence);
#elif defined(__GLIBC__) && defined(__USE_LARGEFILE64)
  ::fseeko64(stream, offset, whence);
#else
  ::fseeko(stream, static_cast<off_t>(offset), whence);
#endif
}

// Moves a FILE to where its descriptor is. Pipes and terminals have no place to move to.
__attribute__((noinline)) inline void sync_stream(std::FILE* stream) noexcept {
  const std::int64_t here = tell(descriptor_of(stream));
  if (here >= 0) seek_stream(stream, here, SEEK_SET);
}

// Messages call a stream as its descriptor, where it has one.
inline message stream_name(std::FILE* stream) noexcept {
  const int descriptor = descriptor_of(stream);
  if (descriptor < 0) return {"<FILE*>"};
  return descriptor_name(descriptor);
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
