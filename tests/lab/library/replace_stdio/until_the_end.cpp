#include <cstdio>

using namespace std;

int main() {
  int x = 0, count = 0;
  while (!feof(stdin) && count++ < 100) {
    if (scanf("%d\n", &x) == 0) {
      int c = getchar();
      printf("skipped %c\n", c);
    }
    printf("%d\n", x);
  }
}
