#include <headrace/headrace.hpp>

#ifndef NEWLINE
#define NEWLINE 1
#endif
#ifndef SETS
#define SETS 100
#endif
#ifndef MODE
#define MODE as_is
#endif

enum class mode { as_is, line, full };
constexpr mode chosen = mode::MODE;

int main() {
  if (chosen == mode::line) headrace::out.flush_when(headrace::flush_policy::each_line);
  if (chosen == mode::full) headrace::out.flush_when(headrace::flush_policy::when_full);
  for (int set = 0; set < SETS; ++set) {
    for (int i = 0; i < 1000; ++i) headrace::out << (NEWLINE ? "Hello World!\n" : "Hello World!");
  }
}
