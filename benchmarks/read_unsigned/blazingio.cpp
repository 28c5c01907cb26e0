#include <cstdint>

#include <blazingio.min.hpp>  // takes the place of std::cin: after all others

int main() {
  std::uint64_t x, all = 0;
  while (std::cin >> x) all ^= x;
  std::cout << all << '\n';
}
