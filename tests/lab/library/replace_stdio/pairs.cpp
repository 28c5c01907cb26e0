#include <cstdio>

using namespace std;

int main() {
  int number;
  char name[100];
  while (scanf("%d %99s", &number, name) == 2) printf("%s=%d\n", name, number);
  puts(feof(stdin) ? "end" : "stopped");
}
