#include <cstdio>

using namespace std;

int main() {
  int (*say)(const char*) = puts;
  int (*read)() = getchar;
  int (*print)(const char*, ...) = printf;
  say("first");
  print("%d\n", read());
  int x = 0;
  scanf("%d", &x);
  printf("%d\n", x);
  print("%d again\n", x);
  say("last");
}
