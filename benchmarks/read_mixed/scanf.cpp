#include <cstdio>
#include <cstring>

int main() {
  static char word[4096];
  int x;
  double y, doubles = 0;
  unsigned long long letters = 0;
  long long ints = 0;
  while (std::scanf("%4095s %d %lf", word, &x, &y) == 3) {
    letters += std::strlen(word);
    ints += x;
    doubles += y;
  }
  std::printf("%llu %lld %.17g\n", letters, ints, doubles);
}
