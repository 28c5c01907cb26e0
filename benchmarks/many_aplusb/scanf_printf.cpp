#include <cstdio>

int main() {
  int pairs;
  if (std::scanf("%d", &pairs) != 1) return 1;
  while (pairs-- > 0) {
    long long a, b;
    if (std::scanf("%lld %lld", &a, &b) != 2) return 1;
    std::printf("%lld\n", a + b);
  }
}
