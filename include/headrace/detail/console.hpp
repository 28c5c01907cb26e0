// headrace/detail/console.hpp: text to and from a Windows console, which speaks UTF-16. Empty elsewhere. Not for users.
//
// Bytes handed to a console are shown by its code page, which is rarely UTF-8; WriteConsoleW shows the same text
// under every code page. What is not UTF-8 becomes U+FFFD. Nothing here throws or allocates.
#pragma once

#include "../config.hpp"
#include "file.hpp"
#include "../utf.hpp"

#if HEADRACE_WINDOWS

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// The bytes of a sequence that the end of a write cut short: they wait for the next one.
struct console_rest {
  char bytes[4] = {};
  unsigned char size = 0;
};

// Writes UTF-8 text. transfer.size counts the bytes that wait in `rest` as taken.
transfer write_console(int descriptor, const char* from, std::size_t size, console_rest& rest) noexcept;

// Writes U+FFFD for a sequence that nothing completes any more. Returns errno or 0.
int end_console(int descriptor, console_rest& rest) noexcept;

// One ReadConsoleW: what a person has typed, as UTF-8, at most `size` bytes (64 or more). Size 0 without an error is
// the end: ^Z at the start of a line.
transfer read_console(int descriptor, char* to, std::size_t size) noexcept;

// ---------------------------------------------------------------------------------------------------------------

// Old consoles took 64 KiB a call, less what others had under way; and more units gain nothing.
inline constexpr std::size_t console_units = 8 * 1024;

// errno for the last error of the console's own calls.
inline int console_error() noexcept {
  switch (GetLastError()) {
    case 6:  // ERROR_INVALID_HANDLE: the console was closed
      return EBADF;
    case 8:  // ERROR_NOT_ENOUGH_MEMORY
      return ENOMEM;
    case 109:  // ERROR_BROKEN_PIPE: its terminal was closed
    case 232:  // ERROR_NO_DATA
    case 233:  // ERROR_PIPE_NOT_CONNECTED
      return EPIPE;
    default:
      return EIO;
  }
}

inline int write_units(int descriptor, const char16_t* first, const char16_t* last) noexcept {
  while (first != last) {
    unsigned long put = 0;
    if (WriteConsoleW(handle_of(descriptor), first, static_cast<unsigned long>(last - first), &put, nullptr) == 0) {
      return console_error();
    }
    if (put == 0) return EIO;
    first += put;
  }
  return 0;
}

// Completes the sequence that waits, if [from, from + size) can. Returns the bytes used for it, or errno.
inline transfer complete_rest(int descriptor, const char* from, std::size_t size, console_rest& rest) noexcept {
  std::size_t used = 0;
  while (rest.size != 0 && used < size) {
    rest.bytes[rest.size++] = from[used++];
    char16_t units[4];
    const utf16_result done = to_utf16(rest.bytes, rest.bytes + rest.size, units, false);
    if (done.read == rest.bytes) continue;  // still cut short
    // A byte that does not belong to the sequence was left unread: it begins the next one.
    used -= static_cast<std::size_t>(rest.bytes + rest.size - done.read);
    rest.size = 0;
    if (const int error = write_units(descriptor, units, done.written)) return {0, error};
  }
  return {used, 0};
}

inline transfer write_console(int descriptor, const char* from, std::size_t size, console_rest& rest) noexcept {
  transfer done = complete_rest(descriptor, from, size, rest);
  while (done.error == 0 && done.size < size) {
    const std::size_t left = size - done.size;
    const char* const first = from + done.size;
    const char* const last = first + (left < console_units ? left : console_units);
    char16_t units[console_units];
    const utf16_result text = to_utf16(first, last, units, false);
    if (text.read == first) {  // at most three bytes are left: the start of a sequence
      rest.size = static_cast<unsigned char>(left);
      std::memcpy(rest.bytes, first, left);
      return {size, 0};
    }
    done.error = write_units(descriptor, units, text.written);
    if (done.error == 0) done.size += static_cast<std::size_t>(text.read - first);
  }
  return done;
}

inline int end_console(int descriptor, console_rest& rest) noexcept {
  if (rest.size == 0) return 0;
  rest.size = 0;
  const char16_t unit = replacement_character;
  return write_units(descriptor, &unit, &unit + 1);
}

inline transfer read_console(int descriptor, char* to, std::size_t size) noexcept {
  constexpr std::size_t max_units = 4096;
  constexpr unsigned long aborted = 995;  // ERROR_OPERATION_ABORTED: ^C, when something else handles it
  wchar_t units[max_units + 1];
  const std::size_t wanted = size / utf8_per_unit<wchar_t> - 1;
  unsigned long got = 0;
  do {
    const auto limit = static_cast<unsigned long>(wanted < max_units ? wanted : max_units);
    if (ReadConsoleW(handle_of(descriptor), units, limit, &got, nullptr) == 0) return {0, console_error()};
  } while (got == 0 && GetLastError() == aborted);
  if (got == 0 || units[0] == 0x1a) return {0, 0};
  if (is_high_surrogate(units[got - 1])) {  // its other half waits
    unsigned long second = 0;
    if (ReadConsoleW(handle_of(descriptor), units + got, 1, &second, nullptr) != 0) got += second;
  }
  return {static_cast<std::size_t>(to_utf8(units, units + got, to) - to), 0};
}

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

#endif
