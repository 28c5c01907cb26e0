#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <string_view>

static constexpr size_t size = 1 << 20;
static constexpr size_t longest = 4096;  // of a word with the whitespace around it
static char buffer[size + 1];
static char* at = buffer;
static char* end = buffer;
static bool more = true;

// Moves what is left to the front and fills the rest. A space comes after the last byte and ends every word.
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
  *end = ' ';
}

static std::string_view next_word() {
  if (static_cast<size_t>(end - at) < longest && more) refill();
  while (at != end && (*at == ' ' || *at == '\n')) ++at;
  const char* const first = at;
  while (*at > ' ') ++at;
  return {first, static_cast<size_t>(at - first)};
}

int main() {
  unsigned long long count = 0, letters = 0;
  for (std::string_view word; !(word = next_word()).empty(); ++count) letters += word.size();
  printf("%llu %llu\n", count, letters);
}
