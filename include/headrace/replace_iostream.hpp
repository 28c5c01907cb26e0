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
// Of a terminal, pipe or socket each flush is done when it is asked for. On a regular file and the null device endl and
// flush are remembered: they are done before the program waits for input, forks, exits, or is ended by a signal.
// `cin` flushes what it is tied to before it waits, not before each value. tellg and tellp ask the system once, and
// then count; they go on asking where another end is the same file, after a fork, and in a program that calls system.
//
// A program that also uses C's stdin or stdout (scanf, printf, puts, ...), or a wide stream, gets the standard streams'
// own buffers, so that the order of its input and output stays as it was; it is slower then, and replace_stdio.hpp is
// the better one for it. A file of the program that does so without this header is not noticed. Other limits: one
// thread at a time uses each of the two streams; cin.readsome() and cin.rdbuf()->in_avail() see a larger buffer; with
// libc++ cin.gcount() after cin.get() leaves out what was then read through a std::istream&. wcin and wcout do not
// compile after it, nor does (open ? file : cin), whose two sides are of different types then: write
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

#include "replace/extract.hpp"
#include "replace/insert.hpp"
#include "replace/streams.hpp"

// The names that a program writes. Macros, because `std::cin` itself is taken.
#define cin headrace_cin
#define cout headrace_cout

#define wcin _Pragma("GCC error \"headrace/replace_iostream.hpp has no wide streams: leave it out here\"") wcin
#define wcout _Pragma("GCC error \"headrace/replace_iostream.hpp has no wide streams: leave it out here\"") wcout

// C's names of the same two ends: using one of them gives both ends back to the standard library.
#undef stdin
#undef stdout
#undef getchar
#undef putchar
#define stdin (::headrace::detail::replace::shared_ends<>::used, ::headrace::detail::replace::c_input())
#define stdout (::headrace::detail::replace::shared_ends<>::used, ::headrace::detail::replace::c_output())
#define scanf headrace_scanf<>
#define vscanf headrace_vscanf<>
#define getchar headrace_getchar<>
#define printf headrace_printf<>
#define vprintf headrace_vprintf<>
#define puts headrace_puts<>
#define putchar headrace_putchar<>

// What starts or ends a process past the exit handlers: each flush is then done when it is asked for.
#define system headrace_system<>
#define popen headrace_popen<>
#define _exit headrace__exit<>
#define _Exit headrace__Exit<>
#define quick_exit headrace_quick_exit<>
