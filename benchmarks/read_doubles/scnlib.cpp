#include <scn/scan.h>

#include <cstdio>

int main() {
  double sum = 0;
  while (const auto result = scn::input<double>("{}")) sum += result->value();
  std::printf("%.17g\n", sum);
}
