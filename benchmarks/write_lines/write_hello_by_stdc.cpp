#include <cstdio>

int main() {
  for (int i = 0; i < 7064580; ++i) std::fprintf(stdout, "hello! %d\n", i);
}
