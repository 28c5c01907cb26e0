#include <iostream>
#include <string>
int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << line;
    if (!std::cin.eof()) std::cout << std::endl;
  }
}
