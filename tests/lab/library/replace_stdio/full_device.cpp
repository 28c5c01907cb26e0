#include <cstdio>

using namespace std;

int main() {
  if (freopen("/dev/full", "w", stdout) == nullptr) return 1;
  int failed = 0, done = 0;
  for (int i = 0; i < 3000; ++i) {
    (printf("%d\n", i) < 0 ? failed : done)++;
    (puts("line") < 0 ? failed : done)++;
    (putchar('x') < 0 ? failed : done)++;
  }
  fprintf(stderr, "%d %d %d\n", failed, done, ferror(stdout) != 0);
}
