#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

int main() {
  std::istringstream in(std::string(std::istreambuf_iterator<char>(std::cin), {}));
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
