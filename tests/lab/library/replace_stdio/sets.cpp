#include <cstdio>

using namespace std;

int main() {
  char line[300], letters[50];
  for (int i = 0; i < 10; ++i) {
    int a = scanf("%299[^\n]", line);
    int b = scanf("%*c");
    printf("%d %d <%s>\n", a, b, a == 1 ? line : "");
    int c = scanf("%49[a-zA-Z]", letters);
    int d = scanf("%49[]x-]", letters);
    int e = scanf(" %49[^, \t\n]", letters);
    printf("%d %d %d\n", c, d, e);
  }
}
