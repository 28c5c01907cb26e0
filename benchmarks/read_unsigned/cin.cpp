#include <cstdint>
#include <iostream>

#ifndef SYNC
#define SYNC true
#define TIE true
#endif

int main() {
  std::ios::sync_with_stdio(SYNC);
  if (!TIE) std::cin.tie(nullptr);
  std::uint64_t x, all = 0;
  while (std::cin >> x) all ^= x;
  std::cout << all << '\n';
}
