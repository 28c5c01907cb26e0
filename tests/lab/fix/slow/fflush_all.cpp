// causes: fflush per line; input: nothing; flags: -O2
#include <cstdio>

using namespace std;

int main() {
  for (int i = 0; i < 200000; ++i) {
    puts("a line of text");
    fflush(NULL);
  }
}
