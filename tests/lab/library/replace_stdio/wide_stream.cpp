#include <cstdio>
#include <cwchar>

using namespace std;

int main() {
  int a = fwide(stdout, 1) > 0;
  int b = printf("%d\n", 5);
  wprintf(L"%d %d wide\n", a, b);
  fprintf(stderr, "%d %d\n", a, b);
  wint_t c = getwc(stdin);
  int x = -1;
  int got = scanf("%d", &x);
  fprintf(stderr, "%d %d %d\n", static_cast<int>(c), got, x);
}
