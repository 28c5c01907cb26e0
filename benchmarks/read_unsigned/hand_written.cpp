// The best that people write by hand: one look at the room left a number, none a byte.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static constexpr size_t size = 1 << 20;
static constexpr ptrdiff_t longest = 64;  // room kept ahead: a number with the whitespace around it
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
  while (more && end - at < longest) {
    const ssize_t got = read(0, end, static_cast<size_t>(buffer + size - end));
    more = got > 0;
    if (more) end += got;
  }
  *end = '\0';
}

int main() {
  at = end = buffer;  // as they are at first, for whoever calls main() again in the same process
  more = true;
  uint64_t all = 0;
  for (;;) {
    if (end - at < longest && more) refill();
    while (*at == ' ' || *at == '\n') ++at;
    if (at == end) break;
    uint64_t x = 0;
    for (; *at >= '0'; ++at) x = x * 10 + static_cast<uint64_t>(*at - '0');
    all ^= x;
  }
  printf("%llu\n", static_cast<unsigned long long>(all));
}
