#include <iostream>
int main() {
  if (!TIE) std::cin.tie(nullptr);
  for (char c; std::cin.get(c);) std::cout << c;
}
