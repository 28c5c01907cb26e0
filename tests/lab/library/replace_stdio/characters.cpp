#include <cstdio>

using namespace std;

int main() {
  char a = '?', b = '?';
  for (int i = 0; i < 12; ++i) {
    int got = scanf("%c %c", &a, &b);
    printf("%d %c%c %d\n", got, a, b, a);
    if (got < 2) break;
  }
}
