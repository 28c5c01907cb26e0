#include <cinttypes>
#include <cstdio>

int main() {
  std::uint64_t x, all = 0;
  while (std::scanf("%" SCNu64, &x) == 1) all ^= x;
  std::printf("%" PRIu64 "\n", all);
}
