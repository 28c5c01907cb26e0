#include <string>

#include <blazingio.min.hpp>  // takes the place of std::cin: after all others

int main() {
  std::string line;
  unsigned long long count = 0, characters = 0;
  for (; std::getline(std::cin, line); ++count) characters += line.size();
  std::cout << count << ' ' << characters << '\n';
}
