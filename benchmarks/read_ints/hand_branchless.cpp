// hand_written without its branch on the sign, which with random signs is mispredicted every second time.
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static constexpr size_t size = 1 << 20;
static constexpr size_t longest = 64;  // room kept ahead: a number with the whitespace around it
static char buffer[size + 1];
static char* at = buffer;
static char* end = buffer;
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

static int read_int() {
  if (end - at < static_cast<ptrdiff_t>(longest) && more) refill();
  while (*at == ' ' || *at == '\n') ++at;
  const bool negative = *at == '-';
  at += negative;
  int x = 0;
  for (; *at >= '0'; ++at) x = x * 10 + (*at - '0');
  return negative ? -x : x;
}

int main() {
  const long rows = read_int();
  const long columns = read_int();
  long long sum = 0;
  for (long i = 0; i < rows * columns; ++i) sum += read_int();
  printf("%lld\n", sum);
}
