// causes: fflush per line; input: few; flags: -O2
#include <cstdio>

using namespace std;

int main() {
  int x;
  while (scanf("%d", &x) == 1) {
    printf("%d\n", x);
    fflush(stdout);
  }
}
