#include <cstdio>

#include <blazingio.min.hpp>  // takes the place of std::cin: after all others

int main() {
  double x, sum = 0;
  while (std::cin >> x) sum += x;
  std::printf("%.17g\n", sum);
}
