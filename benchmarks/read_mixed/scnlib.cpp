#include <scn/scan.h>

#include <cstdio>
#include <string>

int main() {
  double doubles = 0;
  unsigned long long letters = 0;
  long long ints = 0;
  while (const auto result = scn::input<std::string, int, double>("{} {} {}")) {
    const auto& [word, x, y] = result->values();
    letters += word.size();
    ints += x;
    doubles += y;
  }
  std::printf("%llu %lld %.17g\n", letters, ints, doubles);
}
