#include <cstdint>
#include <cstdio>

int main() {
  std::uint64_t all = 0;
  for (int c = std::getchar(); c != EOF;) {
    while (c == ' ' || c == '\n') c = std::getchar();
    if (c == EOF) break;
    std::uint64_t x = 0;
    for (; c >= '0' && c <= '9'; c = std::getchar()) x = x * 10 + static_cast<std::uint64_t>(c - '0');
    all ^= x;
  }
  std::printf("%llu\n", static_cast<unsigned long long>(all));
}
