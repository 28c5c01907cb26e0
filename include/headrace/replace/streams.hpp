// headrace/replace/streams.hpp: the two streams, made before what a program makes and flushed after it, and the
// names that give them back to the standard library. Not for users.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <string>

#include "../config.hpp"
#include "extract.hpp"
#include "insert.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

// Holds a stream that is never destroyed; it is made by the first `user` of the program.
template <class Stream>
union place_of {
  constexpr place_of() noexcept : none() {}
  ~place_of() {}  // NOLINT: the stream outlives all that may use it
  char none;
  Stream stream;
};
inline place_of<input> input_place;
inline place_of<output> output_place;

// Flushes standard output at once: what std::cerr is tied to, whose own bytes are not put off.
class flusher final : public std::streambuf {
 protected:
  int sync() override { return output_place.stream.buffer.write_out() ? 0 : -1; }
};
inline place_of<flusher> flusher_place;
inline place_of<std::ostream> cerr_tie_place;

// Each file of a program has one, as it has a std::ios_base::Init: the first makes the streams, the last flushes.
class user {
 public:
  user() {
    if (count()++ != 0) return;
    new (&output_place.stream) output;
    new (&input_place.stream) input;
    input_place.stream.tie(&output_place.stream);
    new (&flusher_place.stream) flusher;
    new (&cerr_tie_place.stream) std::ostream(&flusher_place.stream);
    std::cerr.tie(&cerr_tie_place.stream);
  }
  ~user() {
    if (--count() != 0) return;
    output_place.stream.buffer.write_out();
    output_place.stream.setf(std::ios_base::unitbuf);  // what is written by later destructors goes out at once
    flushes.eager = true;
    input_place.stream.buffer.give_back();
  }
  user(const user&) = delete;
  user& operator=(const user&) = delete;

 private:
  static int& count() {
    static int users = 0;
    return users;
  }
};
static const user one_user;

// A program that names C's standard input or output has this instantiated, and so the two streams given back before
// main() begins.
template <class = void>
struct shared_ends {
  static const bool used;
};
template <class T>
const bool shared_ends<T>::used = [] {
  static const user before;  // whichever comes first
  input_place.stream.buffer.share();
  output_place.stream.buffer.share();
  std::cerr.tie(&std::cout);
  return true;
}();

// The same for what runs another program, or ends this one past its exit handlers.
template <class = void>
struct eager_flushes {
  static const bool used;
};
template <class T>
const bool eager_flushes<T>::used = flushes.eager = true;

inline std::FILE* c_input() noexcept { return stdin; }
inline std::FILE* c_output() noexcept { return stdout; }

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

// What the macros of replace_iostream.hpp lead to. Reserved or not, these names have to be where the originals are.
template <class Sharing = ::headrace::detail::replace::shared_ends<>>
inline int headrace_vscanf(const char* format, std::va_list arguments) {
  static_cast<void>(Sharing::used);
  return std::vscanf(format, arguments);
}
template <class Sharing = ::headrace::detail::replace::shared_ends<>>
inline int headrace_scanf(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int result = headrace_vscanf<Sharing>(format, arguments);
  va_end(arguments);
  return result;
}
template <class Sharing = ::headrace::detail::replace::shared_ends<>>
inline int headrace_getchar() {
  static_cast<void>(Sharing::used);
  return std::getchar();
}
template <class Sharing = ::headrace::detail::replace::shared_ends<>>
inline int headrace_vprintf(const char* format, std::va_list arguments) {
  static_cast<void>(Sharing::used);
  return std::vprintf(format, arguments);
}
template <class Sharing = ::headrace::detail::replace::shared_ends<>>
inline int headrace_printf(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int result = headrace_vprintf<Sharing>(format, arguments);
  va_end(arguments);
  return result;
}
template <class Sharing = ::headrace::detail::replace::shared_ends<>>
inline int headrace_puts(const char* text) {
  static_cast<void>(Sharing::used);
  return std::puts(text);
}
template <class Sharing = ::headrace::detail::replace::shared_ends<>>
inline int headrace_putchar(int byte) {
  static_cast<void>(Sharing::used);
  return std::putchar(byte);
}
template <class Eager = ::headrace::detail::replace::eager_flushes<>>
inline int headrace_system(const char* command) {
  static_cast<void>(Eager::used);
  return std::system(command);
}
template <class Eager = ::headrace::detail::replace::eager_flushes<>>
inline std::FILE* headrace_popen(const char* command, const char* mode) {
  static_cast<void>(Eager::used);
  return ::popen(command, mode);
}
template <class Eager = ::headrace::detail::replace::eager_flushes<>>
[[noreturn]] inline void headrace__exit(int status) {
  static_cast<void>(Eager::used);
  ::_exit(status);
}
template <class Eager = ::headrace::detail::replace::eager_flushes<>>
[[noreturn]] inline void headrace__Exit(int status) {
  static_cast<void>(Eager::used);
  std::_Exit(status);
}
template <class Eager = ::headrace::detail::replace::eager_flushes<>>
[[noreturn]] inline void headrace_quick_exit(int status) {
  static_cast<void>(Eager::used);
  ::quick_exit(status);
}

namespace std {  // NOLINT: where a program looks for them

using ::headrace__Exit;
using ::headrace_getchar;
using ::headrace_printf;
using ::headrace_putchar;
using ::headrace_puts;
using ::headrace_quick_exit;
using ::headrace_scanf;
using ::headrace_system;
using ::headrace_vprintf;
using ::headrace_vscanf;

static auto& headrace_cin = ::headrace::detail::replace::input_place.stream;
static auto& headrace_cout = ::headrace::detail::replace::output_place.stream;

inline ::headrace::detail::replace::input& getline(::headrace::detail::replace::input& from, string& line) {
  return ::headrace::detail::replace::read_line(from, line, '\n');
}
inline ::headrace::detail::replace::input& getline(::headrace::detail::replace::input& from, string& line,
                                                   char delimiter) {
  return ::headrace::detail::replace::read_line(from, line, delimiter);
}

}  // namespace std
