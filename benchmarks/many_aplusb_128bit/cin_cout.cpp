#include <iostream>

#include "numbers.hpp"

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int pairs;
  std::cin >> pairs;
  while (pairs-- > 0) {
    std::string a, b;
    std::cin >> a >> b;
    std::cout << text_of(number_of(a) + number_of(b)) << '\n';
  }
}
