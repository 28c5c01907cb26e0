#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cstdlib>

static constexpr size_t size = 1 << 20;
static constexpr size_t longest = 64;  // room kept ahead: a number with the whitespace around it
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

int main() {
  double sum = 0;
  for (;;) {
    if (static_cast<size_t>(end - at) < longest && more) refill();
    while (*at == ' ' || *at == '\n') ++at;
    if (at == end) break;
    sum += std::strtod(at, &at);
  }
  printf("%.17g\n", sum);
}
