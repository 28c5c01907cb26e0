#include <cstdio>
#include <cstring>

int main() {
  static char word[4096];
  unsigned long long count = 0, letters = 0;
  for (; std::scanf("%4095s", word) == 1; ++count) letters += std::strlen(word);
  std::printf("%llu %llu\n", count, letters);
}
