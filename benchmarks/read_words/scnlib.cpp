#include <scn/scan.h>

#include <cstdio>
#include <string>

int main() {
  unsigned long long count = 0, letters = 0;
  for (; const auto result = scn::input<std::string>("{}"); ++count) letters += result->value().size();
  std::printf("%llu %llu\n", count, letters);
}
