#include <fstream>
#include <iostream>
#include <string>

void appendLine(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::app);
  out << text << '\n';
}

bool isPalindrome(const std::string& s) {
  for (size_t i = 0, j = s.size(); i < j; ++i)
    if (s[i] != s[--j]) return false;
  return true;
}

int main() {
  std::ios::sync_with_stdio(false);
  std::ofstream("pal.txt").close();
  std::string w;
  int hits = 0, n = 0;
  while (std::cin >> w) {
    if (++n % 5) continue;
    if (isPalindrome(w)) {
      ++hits;
      appendLine("pal.txt", w + " yes");
    } else {
      appendLine("pal.txt", w + " no");
    }
  }
  std::cout << hits << " of " << n << "\n";
}
