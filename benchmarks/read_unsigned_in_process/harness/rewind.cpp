// Compiled after each program, in its translation unit: what the harness calls around each of its runs. Everything
// that can hold input is rewound, whichever of it the program uses, inside its own shared object: with a static
// standard library std::cin is another object there than in the harness.
#include <unistd.h>

#include <cstdio>
#include <iostream>

extern "C" void contender_rewind() {
  std::rewind(stdin);
  std::cin.clear();
  std::cin.seekg(0);  // drops what a buffer of its own holds; fails where cin has none
  std::cin.clear();
#ifdef HEADRACE_VERSION
  headrace::in = headrace::reader{0, "<stdin>"};
#endif
  lseek(0, 0, SEEK_SET);
}

// Writes what is still in buffers: the answer.
extern "C" void contender_flush() {
  std::fflush(stdout);
  std::cout.flush();
#ifdef HEADRACE_VERSION
  headrace::out.flush();
#endif
}
