#include <cstdint>
#include <cstdio>

// Tuned by hand: one unsigned comparison tells a digit from all else, and shifts multiply by ten.
int main() {
  std::uint64_t all = 0;
  for (;;) {
    int c = std::getchar();
    unsigned digit = static_cast<unsigned>(c) - '0';
    if (digit > 9) {
      if (c == EOF) break;
      continue;
    }
    std::uint64_t x = digit;
    while ((digit = static_cast<unsigned>(std::getchar()) - '0') <= 9) x = (x << 3) + (x << 1) + digit;
    all ^= x;
  }
  std::printf("%llu\n", static_cast<unsigned long long>(all));
}
