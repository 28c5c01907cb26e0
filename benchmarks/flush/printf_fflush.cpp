#include <cstdio>

int main() {
  for (int i = 0; i < 1000000; ++i) {
    std::printf("hello! %d\n", i);
    std::fflush(stdout);
  }
}
