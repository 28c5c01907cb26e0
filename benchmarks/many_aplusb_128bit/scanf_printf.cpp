#include <cstdio>

#include "numbers.hpp"

int main() {
  int pairs;
  if (std::scanf("%d", &pairs) != 1) return 1;
  while (pairs-- > 0) {
    char a[48], b[48];
    if (std::scanf("%47s %47s", a, b) != 2) return 1;
    std::printf("%s\n", text_of(number_of(a) + number_of(b)).c_str());
  }
}
