#include <iostream>
#include <string>

#ifndef SYNC
#define SYNC true
#endif

int main() {
  std::ios::sync_with_stdio(SYNC);
  std::string line;
  unsigned long long count = 0, characters = 0;
  for (; std::getline(std::cin, line); ++count) characters += line.size();
  std::cout << count << ' ' << characters << '\n';
}
