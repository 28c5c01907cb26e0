// headrace/replace_stdio.hpp: C's scanf and printf of a program that stays as it is, faster. Not part of headrace.hpp.
//
//   #include <headrace/replace_stdio.hpp>          as the first include of each file that reads or writes, or
//   g++ -include headrace/replace_stdio.hpp ...    without any edit
//
// After it printf, fprintf, scanf and fscanf with a format that is a literal have that format read by the compiler, and
// they, puts, fputs, putchar, putc, fputc, getchar, getc, fgetc and fgets work in the buffer of the FILE itself. So it
// is still the C library that reads and writes: files that were not compiled with this header, cin and cout, ungetc,
// feof, fflush, fseek, setvbuf and freopen go on working on the same buffers, with the same system calls.
//
// Usual calls are done here: %d, %u, %x, %o, %c, %s, %f, %e and %g with widths, precisions, - and 0; of scanf %d, %u,
// %f, %c, %s, %[...], stars, and literal text. Any other call is the C library's from its first byte to its last: one
// whose format is not a literal, or has %n, %*d of printf, %i or %x of scanf, arguments of another type than the format
// says, malformed numbers, another locale's decimal point, an unbuffered or line-buffered stream, one that reaches the
// end of the buffer. A process with several threads gets the C library's locked functions. So states, values, bytes and
// what is returned are the C library's own.
//
// Limits: it needs the GNU C library 2.32 or newer. printf, scanf and the others are macros with arguments, so a class
// with a member function of such a name does not compile after it; a pointer to one of them is the C library's. The
// compiler no longer compares formats with arguments. A file includes this header or replace_iostream.hpp, not both.
#pragma once

#include <cstddef>
#include <cstdio>

#include "config.hpp"

#if !defined(__GLIBC__) || !__has_include(<sys/single_threaded.h>)
#error "headrace/replace_stdio.hpp is for the GNU C library 2.32 or newer: leave it out here"
#include <headrace-replaces-stdio-of-glibc-only>  // which is not there: nothing but the sentence above is to be read
#endif
#if defined(cin)
#error \
    "include either headrace/replace_stdio.hpp or headrace/replace_iostream.hpp: a program that mixes both kinds of I/O takes the former"
#include <headrace-replaces-stdio-or-iostream>  // as above
#endif

#include "replace/stdio_calls.hpp"

// The macros below lead to these names, which have to be where the originals are: globally, and in std.
template <class Spelt, class... Values>
HEADRACE_INLINE int headrace_fprintf(Spelt spelt, std::FILE* file, const char* format, Values... values) {
  return ::headrace::detail::replace::print(spelt, file, format, values...);
}
template <class Spelt, class... Values>
HEADRACE_INLINE int headrace_printf(Spelt spelt, const char* format, Values... values) {
  return ::headrace::detail::replace::print(spelt, stdout, format, values...);
}
template <class Spelt, class... Pointers>
HEADRACE_INLINE int headrace_fscanf(Spelt spelt, std::FILE* file, const char* format, Pointers... pointers) {
  return ::headrace::detail::replace::scan(spelt, file, format, pointers...);
}
template <class Spelt, class... Pointers>
HEADRACE_INLINE int headrace_scanf(Spelt spelt, const char* format, Pointers... pointers) {
  return ::headrace::detail::replace::scan(spelt, stdin, format, pointers...);
}
HEADRACE_INLINE int headrace_fputs(const char* text, std::FILE* file) {
  std::size_t size;
  return ::headrace::detail::replace::put_string(file, text, false, size) ? 1 : std::fputs(text, file);
}
HEADRACE_INLINE int headrace_puts(const char* text) {
  std::size_t size;
  const bool done = ::headrace::detail::replace::put_string(stdout, text, true, size);
  return done ? static_cast<int>(size + 1) : std::puts(text);
}
HEADRACE_INLINE int headrace_putc(int byte, std::FILE* file) {
  return ::headrace::detail::replace::put_byte(byte, file);
}
HEADRACE_INLINE int headrace_putchar(int byte) { return ::headrace::detail::replace::put_byte(byte, stdout); }
HEADRACE_INLINE int headrace_getc(std::FILE* file) { return ::headrace::detail::replace::get_byte(file); }
HEADRACE_INLINE int headrace_getchar() { return ::headrace::detail::replace::get_byte(stdin); }
inline char* headrace_fgets(char* to, int size, std::FILE* file) {
  char* const line = ::headrace::detail::replace::get_held_line(to, size, file);
  return line != nullptr ? line : std::fgets(to, size, file);
}

namespace std {  // NOLINT: where a program looks for them

using ::headrace_fgets;
using ::headrace_fprintf;
using ::headrace_fputs;
using ::headrace_fscanf;
using ::headrace_getc;
using ::headrace_getchar;
using ::headrace_printf;
using ::headrace_putc;
using ::headrace_putchar;
using ::headrace_puts;
using ::headrace_scanf;

}  // namespace std

// A type that knows how the first argument, or the second, is spelt.
#define HEADRACE_SPELT(text)                                            \
  [] {                                                                  \
    struct headrace_spelt {                                             \
      static constexpr const char* spelling() noexcept { return text; } \
    };                                                                  \
    return headrace_spelt{};                                            \
  }()
#define HEADRACE_FIRST(first, ...) HEADRACE_SPELT(#first)
#define HEADRACE_SECOND(first, second, ...) HEADRACE_SPELT(#second)

#undef getchar
#undef putchar
#undef getc
#undef putc
#define printf(...) headrace_printf(HEADRACE_FIRST(__VA_ARGS__, ), __VA_ARGS__)
#define fprintf(...) headrace_fprintf(HEADRACE_SECOND(__VA_ARGS__, ), __VA_ARGS__)
#define scanf(...) headrace_scanf(HEADRACE_FIRST(__VA_ARGS__, ), __VA_ARGS__)
#define fscanf(...) headrace_fscanf(HEADRACE_SECOND(__VA_ARGS__, ), __VA_ARGS__)
#define puts(...) headrace_puts(__VA_ARGS__)
#define fputs(...) headrace_fputs(__VA_ARGS__)
#define putchar(...) headrace_putchar(__VA_ARGS__)
#define putc(...) headrace_putc(__VA_ARGS__)
#define fputc(...) headrace_putc(__VA_ARGS__)
#define getchar() headrace_getchar()
#define getc(...) headrace_getc(__VA_ARGS__)
#define fgetc(...) headrace_getc(__VA_ARGS__)
#define fgets(...) headrace_fgets(__VA_ARGS__)
