#include <unistd.h>

#include <iostream>
#include <sstream>
#include <string>

int main() {
  std::string text;
  static char block[1 << 20];
  for (ssize_t got; (got = read(0, block, sizeof block)) > 0;) text.append(block, static_cast<std::size_t>(got));
  std::istringstream in(text);
  long rows, columns;
  in >> rows >> columns;
  long long sum = 0;
  for (long i = 0; i < rows * columns; ++i) {
    int x;
    in >> x;
    sum += x;
  }
  std::cout << sum << '\n';
}
