#include <headrace/headrace.hpp>

#include <cstdio>

int main() {
  double x, sum = 0;
  while (headrace::in.try_read(x)) sum += x;
  std::printf("%.17g\n", sum);
}
