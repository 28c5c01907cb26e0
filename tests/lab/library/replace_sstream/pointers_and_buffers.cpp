#include <iostream>
#include <sstream>

int main() {
  std::stringstream text("0x10 20 the rest");
  void* pointer = nullptr;
  text >> pointer;
  std::cout << pointer << ' ' << text.good() << '\n';
  std::ostringstream copy;
  text >> std::ws >> copy.rdbuf();
  std::cout << copy.str() << '|' << text.rdstate() << '\n';
  text >> pointer;
  std::cout << text.fail() << '\n';
}
