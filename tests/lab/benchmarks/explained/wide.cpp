#include <cstdio>
#include <cwchar>
int main() {
  static char line[4096];
  while (std::fgets(line, sizeof line, stdin)) std::wprintf(L"%s", line);
}
