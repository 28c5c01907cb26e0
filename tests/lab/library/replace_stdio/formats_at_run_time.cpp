#include <cstdio>

using namespace std;

int main() {
  const char* const number = "%d";
  const char text[] = "%s and %d\n";
  int x = 0;
  while (scanf(number, &x) == 1) {
    printf(text, "word", x);
    printf(x % 2 ? "%d is odd\n" : "%d is even\n", x);
    printf(&"!%d\n"[x > 3], x);
  }
  printf(text + 7, 3);
}
