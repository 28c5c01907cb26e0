#include <string>

#include <blazingio.min.hpp>  // takes the place of std::cin: after all others

int main() {
  std::string word;
  unsigned long long count = 0, letters = 0;
  for (; std::cin >> word; ++count) letters += word.size();
  std::cout << count << ' ' << letters << '\n';
}
