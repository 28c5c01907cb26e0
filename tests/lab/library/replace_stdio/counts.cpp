#include <cstdio>

using namespace std;

int main() {
  int a = 0, at = -1, b = 0, c = 0;
  unsigned d = 0;
  int got = scanf("%d%n %i", &a, &at, &b);
  printf("%d %d %d %d\n", got, a, at, b);
  got = scanf("%x %o %3d", &d, (unsigned*)&b, &c);
  printf("%d %u %d %d\n", got, d, b, c);
  got = scanf(" %% %d", &a);
  printf("%d %d\n", got, a);
}
