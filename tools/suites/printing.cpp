// One of glibc's programs that test printf, with each format a literal, as in a user's program: PROGRAM is the file of
// its values and its loop, formats.inc has a FORMAT(text) for each of these formats. Prints what that loop prints,
// FORMAT:TEXT:RESULT: each, with the widths and precisions that are arguments before the text. The C library reads all
// formats when the program runs without REPLACED, and with it those that are not in formats.inc.
#ifdef REPLACED
#include <headrace/replace_stdio.hpp>
#endif

#include <dlfcn.h>

#include <cstdio>
#include <cstring>

namespace {

template <class... Values>
int print(const char* format, Values... values) {
  return (std::printf)(format, values...);
}

#ifdef REPLACED
template <class Value>
int print(const char* format, Value value) {
#define FORMAT(text) \
  if (std::strcmp(format, text) == 0) return printf(text, value);
#include "formats.inc"
  return (std::printf)(format, value);
}
#endif

template <class... Values>
int print_with_result(const char* format, Values... values) {
  const int result = print(format, values...);
  printf(":%d", result);
  return result;
}

}  // namespace

#define printf_under_test(...) print_with_result(__VA_ARGS__)
#define dladdr unused_dladdr  // which the program defines, without the attributes that C++ wants
#include PROGRAM
