#include <cstdio>

using namespace std;

int main() {
  setvbuf(stdout, nullptr, _IONBF, 0);
  setbuf(stdin, nullptr);
  int x;
  while (scanf("%d", &x) == 1) {
    printf("%d %s\n", x, "here");
    putchar('.');
    puts("line");
  }
  printf("%d\n", getchar());
}
