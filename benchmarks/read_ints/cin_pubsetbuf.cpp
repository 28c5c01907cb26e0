#include <iostream>

int main() {
  static char buffer[1 << 20];
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  std::cin.rdbuf()->pubsetbuf(buffer, sizeof buffer);
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
