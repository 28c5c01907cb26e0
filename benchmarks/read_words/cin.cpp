#include <iostream>
#include <string>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  std::string word;
  unsigned long long count = 0, letters = 0;
  for (; std::cin >> word; ++count) letters += word.size();
  std::cout << count << ' ' << letters << '\n';
}
