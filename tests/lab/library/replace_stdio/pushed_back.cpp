#include <cstdio>

using namespace std;

int main() {
  int x = 0;
  for (int i = 0; i < 5; ++i) {
    int c = getchar();
    ungetc(c, stdin);
    if (i % 2) ungetc('7', stdin);
    int got = scanf("%d", &x);
    printf("%d %d %d\n", c, got, x);
    char line[10];
    if (i == 3 && fgets(line, 10, stdin)) printf("%s\n", line);
  }
}
