#include <cstdio>

using namespace std;

int main() {
  int tests;
  if (scanf("%d", &tests) != 1) return 1;
  for (int t = 1; t <= tests && t < 100; ++t) {
    long long a = -1, b = -1;
    int got = scanf("%lld%lld", &a, &b);
    printf("Case #%d: %lld (%d)\n", t, a + b, got);
    if (got < 2) break;
  }
}
