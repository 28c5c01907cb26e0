#include <cstdint>
#include <iostream>

int main() {
  std::ios::sync_with_stdio(false);
  std::uint64_t all = 0;
  for (int c = std::cin.get(); c != EOF;) {
    while (c == ' ' || c == '\n') c = std::cin.get();
    if (c == EOF) break;
    std::uint64_t x = 0;
    for (; c >= '0' && c <= '9'; c = std::cin.get()) x = x * 10 + static_cast<std::uint64_t>(c - '0');
    all ^= x;
  }
  std::cout << all << '\n';
}
