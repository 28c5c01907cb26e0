// Does the steps of a command line by two copies of headrace: a3 adds up three numbers by copy a, bl is the line of b.
#pragma once

#include <cstdlib>

struct copy_of_headrace {
  long (*sum)(int count);
  void (*print)(long value);
  long (*line)();
};

inline void take_step(const copy_of_headrace& copy, const char* step) {
  copy.print(*step == 'l' ? copy.line() : copy.sum(std::atoi(step)));
}
