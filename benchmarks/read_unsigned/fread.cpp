#include <cstdint>
#include <cstdio>

#ifndef BUFFER
#define BUFFER 1048576
#endif

// A number may be cut by the end of a buffer: its value so far is kept in x.
int main() {
  static char buffer[BUFFER];
  std::uint64_t x = 0, all = 0;
  std::size_t size;
  while ((size = std::fread(buffer, 1, sizeof buffer, stdin)) > 0) {
    for (const char* at = buffer; at != buffer + size; ++at) {
      if (*at >= '0') {
        x = x * 10 + static_cast<std::uint64_t>(*at - '0');
      } else {
        all ^= x;  // a second space in a row adds nothing
        x = 0;
      }
    }
  }
  std::printf("%llu\n", static_cast<unsigned long long>(all ^ x));
}
