#include <iostream>

int main() {
  long rows, columns;
  std::cin >> rows >> columns;
  long long sum = 0;
  for (long i = 0; i < rows * columns; ++i) {
    int x;
    std::cin >> x;
    sum += x;
  }
  std::cout << sum << '\n';
}
