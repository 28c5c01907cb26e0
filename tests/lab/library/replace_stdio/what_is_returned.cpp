#include <cstdio>

using namespace std;

int main() {
  int a = printf("%d %s\n", 12, "abc");
  int b = puts("four");
  int c = fputs("five\n", stdout);
  int d = putchar(300);
  int e = printf("");
  int f = printf("%%\n");
  int g = fputc(-1, stdout);
  printf("%d %d %d %d %d %d %d\n", a, b, c, d, e, f, g);
  char* none = nullptr;
  printf("%s %p %p %d\n", none, (void*)nullptr, (void*)16, printf("%c", 0));
}
