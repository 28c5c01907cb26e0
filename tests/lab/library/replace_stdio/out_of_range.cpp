#include <cstdio>

using namespace std;

int main() {
  for (int i = 0; i < 12; ++i) {
    int a = 1;
    unsigned b = 2;
    long c = 3;
    short d = 4;
    int got = i % 4 == 0   ? scanf("%d", &a)
              : i % 4 == 1 ? scanf("%u", &b)
              : i % 4 == 2 ? scanf("%ld", &c)
                           : scanf("%hd", &d);
    printf("%d: %d %u %ld %d\n", got, a, b, c, d);
    if (got != 1) printf("%d\n", scanf("%*s"));
  }
}
