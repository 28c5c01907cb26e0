#include <headrace/headrace.hpp>

#include <array>
#include <cstdio>

int main() {
  std::array<double, 4096> block;
  double sum = 0;
  std::size_t got;
  while ((got = headrace::in.read_some(block)) > 0) {
    for (std::size_t i = 0; i < got; ++i) sum += block[i];
  }
  std::printf("%.17g\n", sum);
}
