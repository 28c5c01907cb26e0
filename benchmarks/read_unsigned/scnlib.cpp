#include <scn/scan.h>

#include <cstdint>
#include <cstdio>

int main() {
  std::uint64_t all = 0;
  while (const auto result = scn::input<std::uint64_t>("{}")) all ^= result->value();
  std::printf("%llu\n", static_cast<unsigned long long>(all));
}
