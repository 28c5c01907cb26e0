#include <cstdio>

int main() {
  long rows, columns;
  if (std::scanf("%ld %ld", &rows, &columns) != 2) return 1;
  long long sum = 0;
  for (long i = 0; i < rows * columns; ++i) {
    int x;
    if (std::scanf("%d", &x) != 1) return 1;
    sum += x;
  }
  std::printf("%lld\n", sum);
}
