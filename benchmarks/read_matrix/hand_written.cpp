// A loop as one writes it for one file: nothing is checked.
#include <stdio.h>
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

static long long take_int() {
  const bool negative = *at == '-';
  at += negative;
  long long value = 0;
  for (; *at >= '0' && *at <= '9'; ++at) value = value * 10 + (*at - '0');
  return negative ? -value : value;
}

static double take_double() {
  double value = 0;
  at += std::from_chars(at, end, value).ptr - at;
  return value;
}

int main() {
  long long whole = 0;
  double fractions = 0;
  for (;;) {
    if (static_cast<size_t>(end - at) < longest && more) refill();
    if (at == end) break;
    if (NUMBERS == 0) whole += take_int();
    if (NUMBERS == 1) fractions += take_double();
    ++at;
  }
  printf("%.17g\n", static_cast<double>(whole) + fractions);
}
