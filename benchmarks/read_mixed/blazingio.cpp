#include <cstdio>
#include <string>

#include <blazingio.min.hpp>  // takes the place of std::cin: after all others

int main() {
  std::string word;
  int x;
  double y, doubles = 0;
  unsigned long long letters = 0;
  long long ints = 0;
  while (std::cin >> word) {
    letters += word.size();
    std::cin >> x >> y;
    ints += x;
    doubles += y;
  }
  std::printf("%llu %lld %.17g\n", letters, ints, doubles);
}
