// The same loop with what a careful programmer adds: each field has to be a number that fits, and to end where it
// should.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <charconv>

static constexpr size_t size = 1 << 20;
static constexpr size_t longest = 1024;  // room kept ahead: a number
static char buffer[size + 1];
static char* at = buffer;
static char* end = buffer;
static bool more = true;

// Moves what is left to the front and fills the rest. A '\0' comes after the last byte and ends every number.
static void refill() {
  const size_t left = static_cast<size_t>(end - at);
  memmove(buffer, at, left);
  at = buffer;
  end = buffer + left;
  while (more && static_cast<size_t>(end - at) < longest) {
    const ssize_t got = read(0, end, static_cast<size_t>(buffer + size - end));
    more = got > 0;
    if (more) end += got;
  }
  *end = '\0';
}

template <class T>
static T take(char after) {
  T value;
  const std::from_chars_result got = std::from_chars(at, end, value);
  if (got.ec != std::errc{} || got.ptr == end || *got.ptr != after) {
    fputs("a field is not as it should be\n", stderr);
    exit(1);
  }
  at += got.ptr - at + 1;
  return value;
}

int main() {
  long long whole = 0;
  double fractions = 0;
  for (;;) {
    if (static_cast<size_t>(end - at) < longest && more) refill();
    if (at == end) break;
    for (int column = 0; column < 10; ++column) {
      const char after = column < 9 ? ',' : '\n';
      if (NUMBERS == 0) whole += take<long long>(after);
      if (NUMBERS == 1) fractions += take<double>(after);
    }
  }
  printf("%.17g\n", static_cast<double>(whole) + fractions);
}
