// causes: fflush per line; input: nothing; flags: -O2
#include <cstdio>

using namespace std;

int main() {
  for (int i = 0; i < 300000; ++i) {
    printf("%d\n", i);
    fflush(stdout);
  }
}
