#include <blazingio.min.hpp>  // takes the place of std::cin and std::cout

int main() {
  int pairs;
  std::cin >> pairs;
  while (pairs-- > 0) {
    long long a, b;
    std::cin >> a >> b;
    std::cout << a + b << '\n';
  }
}
