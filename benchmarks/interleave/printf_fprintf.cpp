#include <cstdio>

#include <unistd.h>

#ifndef MODE
#define MODE as_is
#endif

enum class mode { as_is, line, full };
constexpr mode chosen = mode::MODE;

// Both ends are one, so that the order in which the pieces arrive can be seen.
int main() {
  dup2(1, 2);
  if (chosen == mode::line) std::setvbuf(stdout, nullptr, _IOLBF, 4096);
  if (chosen == mode::full) std::setvbuf(stdout, nullptr, _IOFBF, 4096);
  const char* const texts[] = {"1", "2", "3"};
  for (const char* text : texts) {
    std::printf("out %s\n", text);
    std::fprintf(stderr, "err %s\n", text);
  }
}
