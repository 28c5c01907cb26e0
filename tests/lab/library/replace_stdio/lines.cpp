#include <cstdio>
#include <cstring>

using namespace std;

int main() {
  char line[1000];
  int number = 0;
  while (fgets(line, sizeof line, stdin) != nullptr) {
    line[strcspn(line, "\n")] = '\0';
    printf("%3d: %s (%zu)\n", ++number, line, strlen(line));
  }
  printf("%d %d\n", feof(stdin) != 0, ferror(stdin) != 0);
}
