#include <cstdio>

int main() {
  double x, sum = 0;
  while (std::scanf("%lf", &x) == 1) sum += x;
  std::printf("%.17g\n", sum);
}
