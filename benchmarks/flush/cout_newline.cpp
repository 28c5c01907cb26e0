#include <iostream>

int main() {
  std::ios::sync_with_stdio(false);
  for (int i = 0; i < 1000000; ++i) std::cout << "hello! " << i << '\n';
}
