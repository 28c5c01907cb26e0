#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static constexpr size_t size = 1 << 20;
static constexpr size_t longest = 4096;  // room kept ahead: a line
static char buffer[size + 1];
static char *at = buffer, *end = buffer;
static bool more = true;

// Moves what is left to the front and fills the rest. A '\0' comes after the last byte and ends every loop.
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

static void skip_blanks() {
  while (*at == ' ' || *at == '\n') ++at;
}

static long long read_digits(long long x) {
  for (; *at >= '0'; ++at) x = x * 10 + (*at - '0');
  return x;
}

int main() {
  static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};  // six places are the most in this input
  long long letters = 0, ints = 0;
  double doubles = 0;
  for (;;) {
    if (static_cast<size_t>(end - at) < longest && more) refill();
    skip_blanks();
    if (at == end) break;
    const char* const word = at;
    while (*at > ' ') ++at;
    letters += at - word;
    skip_blanks();
    ints += *at == '-' ? (++at, -read_digits(0)) : read_digits(0);
    skip_blanks();
    const bool below_zero = *at == '-';
    at += below_zero;
    const long long whole = read_digits(0);
    const char* const point = at++;
    const double digits = static_cast<double>(read_digits(whole));
    const double y = digits / powers[at - point - 1];
    doubles += below_zero ? -y : y;
  }
  printf("%lld %lld %.17g\n", letters, ints, doubles);
}
