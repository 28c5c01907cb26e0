#include <headrace/headrace.hpp>

#include <unistd.h>

#ifndef MODE
#define MODE as_is
#endif

enum class mode { as_is, line, full };
constexpr mode chosen = mode::MODE;

// Both ends are one, so that the order in which the pieces arrive can be seen.
int main() {
  dup2(1, 2);
  if (chosen == mode::line) headrace::out.flush_when(headrace::flush_policy::each_line);
  if (chosen == mode::full) headrace::out.flush_when(headrace::flush_policy::when_full);
  headrace::writer err(2);
  err.flush_when(headrace::flush_policy::each_write);  // as std::cerr does
  const char* const texts[] = {"1", "2", "3"};
  for (const char* text : texts) {
    headrace::out << "out " << text << '\n';
    err.print("err ", text, '\n');
  }
}
