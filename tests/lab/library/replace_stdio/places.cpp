#include <cstdio>

using namespace std;

int main() {
  int x = 0;
  for (int i = 0; i < 3 && scanf("%d", &x) == 1; ++i) printf("%d at %ld\n", x, ftell(stdin));
  if (fseek(stdin, 2, SEEK_SET) == 0) printf("%d\n", getchar());
  printf("%d\n", scanf("%d", &x));
  rewind(stdin);
  clearerr(stdin);
  printf("%d %d\n", scanf("%d", &x), x);
  fprintf(stderr, "%ld\n", ftell(stdout) < 0 ? -1 : ftell(stdout));
}
