#include <cstdio>

using namespace std;

int main() {
  char a[10] = "", b[10] = "", c = '?';
  int x = 0, y = 0;
  for (int i = 0; i < 6; ++i) {
    int got = scanf("%3s%5[a-z]%2d%1c %4d", a, b, &x, &c, &y);
    printf("%d %s %s %d %c %d\n", got, a, b, x, c, y);
    if (got == 0) getchar();
  }
}
