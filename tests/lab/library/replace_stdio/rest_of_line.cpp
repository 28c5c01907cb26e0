#include <cstdio>

using namespace std;

int main() {
  int x, c;
  char line[100];
  while (scanf("%d", &x) == 1) {
    while ((c = getchar()) != '\n' && c != EOF) putchar(c);
    if (fgets(line, sizeof line, stdin)) printf("[%s]", line);
    printf("%d\n", x);
  }
}
