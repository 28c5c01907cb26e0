#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <string>
#include <string_view>

static char buffer[1 << 20];
static const char* at = buffer;
static const char* end = buffer;
static std::string joined;  // a line that two reads cut

static bool read_line(std::string_view& line) {
  joined.clear();
  for (;;) {
    const size_t left = static_cast<size_t>(end - at);
    const char* const found = static_cast<const char*>(memchr(at, '\n', left));
    if (found != nullptr) {
      line = {at, static_cast<size_t>(found - at)};
      if (!joined.empty()) line = joined.append(line);
      at = found + 1;
      return true;
    }
    joined.append(at, left);
    const ssize_t got = read(0, buffer, sizeof buffer);
    at = buffer;
    end = buffer + (got > 0 ? got : 0);
    if (got <= 0) return line = joined, !joined.empty();
  }
}

int main() {
  std::string_view line;
  unsigned long long count = 0, characters = 0;
  for (; read_line(line); ++count) characters += line.size();
  printf("%llu %llu\n", count, characters);
}
