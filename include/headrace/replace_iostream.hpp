// headrace/replace_iostream.hpp: the streams std::cin and std::cout of a program that stays as it is, faster. Not part
// of headrace.hpp.
//
//   #include <headrace/replace_iostream.hpp>          as the first include of each file that names cin or cout, or
//   g++ -include headrace/replace_iostream.hpp ...    without any edit
//
// After it `cin` and `cout` name streams that derive from std::istream and std::ostream. What is usual is done here:
// plain integers, floats, characters, words and lines, setw, setfill, fixed, setprecision. Everything else is done by
// the standard library itself, on the same buffer: what is malformed, at the end of the input, in another base, in
// another locale, or read through a std::istream&. So states, values and bytes are the standard library's own.
//
// endl, flush and unitbuf write when they are reached. `cin` flushes what it is tied to before it waits for input, not
// before each value. tellg and tellp ask the system once, and then count; they go on asking where another end is the
// same file, after a fork, and in a program that calls system.
//
// With HEADRACE_PUT_OFF_FLUSHES, defined before this header in a file of the program or more, a flush of a regular file
// or the null device is remembered instead, and done before the program waits for input, forks, exits, or is ended by a
// signal that can be caught: ten signals get a handler. A kill then loses up to 64 KiB that were flushed.
//
// A program that also uses C's stdin or stdout (scanf, printf, puts, ...), or a wide stream, gets the standard streams'
// own buffers, so that the order of its input and output stays as it was; it is slower then, and replace_stdio.hpp is
// the better one for it. A file of the program that does so without this header is not noticed. Other limits: one
// thread at a time uses each of the two streams; cin.readsome() and cin.rdbuf()->in_avail() see a larger buffer. wcin
// and wcout do not compile after it, nor does (open ? file : cin), whose two sides are of different types then: write
// static_cast<std::istream&>(cin) there.
//
// cerr and clog are the standard ones; cerr is tied to the `cout` of here.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <string>
#include <string_view>

#include "config.hpp"

#if HEADRACE_WINDOWS
#error "headrace/replace_iostream.hpp is for Linux, macOS and other POSIX systems: leave it out on Windows"
#include <headrace-replaces-iostream-on-posix-only>  // which is not there: nothing but the sentence above is to be read
#endif

#if defined(HEADRACE_SPELT)
#error \
    "include either headrace/replace_stdio.hpp or headrace/replace_iostream.hpp: a program that mixes both kinds of I/O takes the former"
#include <headrace-replaces-stdio-or-iostream>  // as above
#endif

#if __has_include(<print>)
#include <print>  // it names stdout
#endif
#include <unistd.h>  // and this _exit

#include "replace/standard_streams.hpp"
#if defined(HEADRACE_PUT_OFF_FLUSHES)
#include "replace/put_off_flushes.hpp"
#endif

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {
namespace replace {

inline std::FILE* c_input() noexcept { return stdin; }
inline std::FILE* c_output() noexcept { return stdout; }

// The compiler checks no formats here: it would do so without knowing them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

// A function of the C library. What calls it, or takes its address, has Effect<>::used instantiated, and so made before
// main() begins.
template <auto* Function, template <class> class Effect>
struct with_effect {
  template <class... Values>
  HEADRACE_INLINE auto operator()(Values... values) const {
    static_cast<void>(Effect<std::void_t<Values...>>::used);
    return Function(values...);
  }
  template <class Other>
  operator Other*() const noexcept {  // NOLINT: as a function is a pointer
    static_cast<void>(Effect<std::void_t<Other>>::used);
    return Function;
  }
};
template <auto* Function, template <class> class Effect>
struct exit_with_effect {
  template <class Status>
  [[noreturn]] HEADRACE_INLINE void operator()(Status status) const {
    static_cast<void>(Effect<std::void_t<Status>>::used);
    Function(status);
  }
};

#pragma GCC diagnostic pop

}  // namespace replace
}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace

#undef getchar
#undef putchar

// The macros below lead to these names, which have to be where the originals are: globally, and in std.
#define HEADRACE_SHARING(name)                                                                                 \
  inline constexpr ::headrace::detail::replace::with_effect<&::name, ::headrace::detail::replace::shared_ends> \
      headrace_##name {}
HEADRACE_SHARING(scanf);
HEADRACE_SHARING(vscanf);
HEADRACE_SHARING(getchar);
HEADRACE_SHARING(printf);
HEADRACE_SHARING(vprintf);
HEADRACE_SHARING(puts);
HEADRACE_SHARING(putchar);
#undef HEADRACE_SHARING
inline constexpr ::headrace::detail::replace::with_effect<&::system, ::headrace::detail::replace::other_processes>
    headrace_system{};
inline constexpr ::headrace::detail::replace::with_effect<&::popen, ::headrace::detail::replace::other_processes>
    headrace_popen{};
#if defined(HEADRACE_PUT_OFF_FLUSHES)
inline constexpr ::headrace::detail::replace::exit_with_effect<&::_exit, ::headrace::detail::replace::other_processes>
    headrace__exit{};
inline constexpr ::headrace::detail::replace::exit_with_effect<&::_Exit, ::headrace::detail::replace::other_processes>
    headrace__Exit{};
inline constexpr ::headrace::detail::replace::exit_with_effect<&::quick_exit,
                                                               ::headrace::detail::replace::other_processes>
    headrace_quick_exit{};
#endif

namespace std {                       // NOLINT: where a program looks for them
inline namespace headrace_iostream {  // with getline, whose name a macro cannot change

using ::headrace_getchar;
using ::headrace_printf;
using ::headrace_putchar;
using ::headrace_puts;
using ::headrace_scanf;
using ::headrace_system;
using ::headrace_vprintf;
using ::headrace_vscanf;
#if defined(HEADRACE_PUT_OFF_FLUSHES)
using ::headrace__Exit;
using ::headrace_quick_exit;
#endif

static auto& headrace_cin = ::headrace::detail::replace::input_place.stream;
static auto& headrace_cout = ::headrace::detail::replace::output_place.stream;

inline ::headrace::detail::replace::input& getline(::headrace::detail::replace::input& from, string& line,
                                                   char delimiter = '\n') {
  return ::headrace::detail::replace::read_line(from, line, delimiter);
}

}  // namespace headrace_iostream
}  // namespace std

// The names that a program writes. Macros, because `std::cin` itself is taken.
#define cin headrace_cin
#define cout headrace_cout

#define wcin _Pragma("GCC error \"headrace/replace_iostream.hpp has no wide streams: leave it out here\"") wcin
#define wcout _Pragma("GCC error \"headrace/replace_iostream.hpp has no wide streams: leave it out here\"") wcout

// C's names of the same two ends: using one of them gives both ends back to the standard library.
#undef stdin
#undef stdout
#define stdin (::headrace::detail::replace::shared_ends<>::used, ::headrace::detail::replace::c_input())
#define stdout (::headrace::detail::replace::shared_ends<>::used, ::headrace::detail::replace::c_output())
#define scanf headrace_scanf
#define vscanf headrace_vscanf
#define getchar headrace_getchar
#define printf headrace_printf
#define vprintf headrace_vprintf
#define puts headrace_puts
#define putchar headrace_putchar

// These start a process, which may move this one's places in its files.
#define system headrace_system
#define popen headrace_popen
#if defined(HEADRACE_PUT_OFF_FLUSHES)
// These end the process past its exit handlers: no flush is put off.
#define _exit headrace__exit
#define _Exit headrace__Exit
#define quick_exit headrace_quick_exit
#endif
