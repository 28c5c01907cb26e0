#include <cstdio>
#include <iostream>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  double x, sum = 0;
  while (std::cin >> x) sum += x;
  std::printf("%.17g\n", sum);
}
