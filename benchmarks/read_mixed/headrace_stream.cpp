#include <headrace/headrace.hpp>

#include <cstdio>
#include <string>

int main() {
  std::string word;
  double doubles = 0;
  unsigned long long letters = 0;
  long long ints = 0;
  while (headrace::in.try_read(word)) {
    letters += word.size();
    ints += headrace::in.read<int>();
    doubles += headrace::in.read<double>();
  }
  std::printf("%llu %lld %.17g\n", letters, ints, doubles);
}
