#include <iostream>

void read_some(std::istream& from) {
  char bytes[8];
  from.read(bytes, 3);
}

int main() {
  for (int i = 0; i < 3; ++i) {
    std::cout << std::cin.get();
    std::cout << ' ' << std::cin.gcount() << ' ' << std::cin.peek() << ' ' << std::cin.gcount() << '\n';
#if defined(__GLIBCXX__)
    read_some(std::cin);
    std::cout << std::cin.gcount() << '\n';
#endif
    std::cin.clear();
  }
}
