#include <cstdio>

using namespace std;

int main() {
  int c, count = 0;
  while ((c = fgetc(stdin)) != EOF) {
    fputc(c == '\n' ? '/' : c, stdout);
    putc(getc(stdin), stdout);
    ++count;
  }
  fprintf(stdout, "%d\n", count);
  fprintf(stderr, "%d pairs\n", count);
}
