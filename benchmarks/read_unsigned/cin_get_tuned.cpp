#include <cstdint>
#include <iostream>

// Tuned by hand: one unsigned comparison tells a digit from all else, and shifts multiply by ten.
int main() {
  std::ios::sync_with_stdio(false);
  std::uint64_t all = 0;
  for (;;) {
    int c = std::cin.get();
    unsigned digit = static_cast<unsigned>(c) - '0';
    if (digit > 9) {
      if (c == EOF) break;
      continue;
    }
    std::uint64_t x = digit;
    while ((digit = static_cast<unsigned>(std::cin.get()) - '0') <= 9) x = (x << 3) + (x << 1) + digit;
    all ^= x;
  }
  std::cout << all << '\n';
}
