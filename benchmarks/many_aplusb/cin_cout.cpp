#include <iostream>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int pairs;
  std::cin >> pairs;
  while (pairs-- > 0) {
    long long a, b;
    std::cin >> a >> b;
    std::cout << a + b << '\n';
  }
}
