// Keeps the lines of a log that hold a text, and says on stderr how many of all they are:
//
//     log_filter TEXT < all.log > some.log
//
// A line is a view into the reader's buffer: nothing is copied until it is written.
#include <headrace/headrace.hpp>

#include <cstdio>
#include <string_view>

using headrace::in, headrace::out;

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: log_filter TEXT < LOG\n");
    return 2;
  }
  const std::string_view wanted = arguments[1];
  std::size_t all = 0, kept = 0;
  for (std::string_view line : in.lines()) {
    ++all;
    if (line.find(wanted) == line.npos) continue;
    ++kept;
    out.print(line, '\n');
  }
  out.flush();  // throws if the disk is full: better than a count that is not true
  headrace::writer(2).println(kept, " of ", all, " lines");
}
