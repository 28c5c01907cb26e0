#include <cstdio>
#include <cstring>

using namespace std;

int main() {
  static char text[10001];
  memset(text, 'a', 10000);
  long total = 0;
  for (int i = 0; i < 3000; ++i)
    total += printf("%d %s %5d|%c\n", i, i % 500 == 0 ? text : "short", i * 7, 'b' + i % 20);
  total += printf("%20000d|%-5000s|%03000d\n", 5, "left", -7);
  puts(text);
  fputs(text, stdout);
  for (int i = 0; i < 5000; ++i) putchar('0' + i % 10);
  printf("\n%ld\n", total);
}
