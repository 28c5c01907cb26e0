#include <iostream>

int main() {
  long rows, columns, sum = 0;
  std::cin >> rows >> columns;
  for (long x; std::cin >> x;) sum += x;
  std::cout << sum << '\n';
}
