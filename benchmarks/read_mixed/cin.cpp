#include <cstdio>
#include <iostream>
#include <string>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  std::string word;
  int x;
  double y, doubles = 0;
  unsigned long long letters = 0;
  long long ints = 0;
  while (std::cin >> word >> x >> y) {
    letters += word.size();
    ints += x;
    doubles += y;
  }
  std::printf("%llu %lld %.17g\n", letters, ints, doubles);
}
