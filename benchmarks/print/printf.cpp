#include <cstdio>

#ifndef NEWLINE
#define NEWLINE 1
#endif
#ifndef SETS
#define SETS 100
#endif
#ifndef MODE
#define MODE as_is
#endif

enum class mode { as_is, line, full, unsynced };
constexpr mode chosen = mode::MODE;

int main() {
  if (chosen == mode::line) std::setvbuf(stdout, nullptr, _IOLBF, 4096);
  if (chosen == mode::full) std::setvbuf(stdout, nullptr, _IOFBF, 65536);
  for (int set = 0; set < SETS; ++set) {
    for (int i = 0; i < 1000; ++i) std::printf(NEWLINE ? "Hello World!\n" : "Hello World!");
  }
}
