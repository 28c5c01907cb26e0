// headrace/console.hpp: text to a Windows console, which takes UTF-16 and no more than some 32 KiB of it at once.
// Nothing here throws or allocates. Empty on every other system.
#pragma once

#include "config.hpp"

#if HEADRACE_WINDOWS

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "file.hpp"
#include "utf.hpp"

// What is needed of kernel32, as <windows.h> declares it; that header would cost more than all of ours.
extern "C" {
__declspec(dllimport) int __stdcall GetConsoleMode(void* handle, unsigned long* mode);
__declspec(dllimport) int __stdcall WriteConsoleW(void* handle, const void* text, unsigned long units,
                                                  unsigned long* written, void* reserved);
}

namespace headrace::detail {

// Whether the descriptor is a console that text can be written to, whatever its code page.
inline bool is_console(int descriptor) noexcept {
  unsigned long mode;
  return ::GetConsoleMode(reinterpret_cast<void*>(::_get_osfhandle(descriptor)), &mode) != 0;
}

// The first bytes of a character whose rest has not been written yet.
struct unfinished_character {
  char bytes[4];
  std::size_t size = 0;
};

// Writes UTF-8 text as UTF-16, in blocks. A character that `text` ends in the middle of is kept for the next call.
inline transfer write_console(int descriptor, const char* text, std::size_t size, unfinished_character& kept) noexcept {
  void* const handle = reinterpret_cast<void*>(::_get_osfhandle(descriptor));
  constexpr std::size_t block = 4096;
  char bytes[sizeof kept.bytes + block];
  char16_t units[sizeof bytes];
  transfer done;
  while (done.size < size) {
    const std::size_t piece = size - done.size < block ? size - done.size : block;
    std::memcpy(bytes, kept.bytes, kept.size);
    std::memcpy(bytes + kept.size, text + done.size, piece);
    const char* const end = bytes + kept.size + piece;
    const utf16_result converted = to_utf16(bytes, end, units, false);
    for (const char16_t* from = units; from != converted.written;) {
      unsigned long written = 0;
      const auto left = static_cast<unsigned long>(converted.written - from);
      if (::WriteConsoleW(handle, from, left, &written, nullptr) == 0 || written == 0) {
        done.error = EIO;
        return done;
      }
      from += written;
    }
    kept.size = static_cast<std::size_t>(end - converted.read);
    std::memcpy(kept.bytes, converted.read, kept.size);
    done.size += piece;
  }
  return done;
}

}  // namespace headrace::detail

#endif
