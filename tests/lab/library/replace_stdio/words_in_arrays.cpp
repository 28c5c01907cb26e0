#include <cstdio>
#include <cstring>

// Everything in an array is shown: what is after the zero stays as it was.
template <std::size_t Size>
void show(const char (&text)[Size]) {
  for (const char byte : text) putchar(byte == '\0' ? '.' : byte);
  putchar('\n');
}

int main() {
  char a[16], b[17], c[64], d[200], e[8];
  int n = 7;
  for (;;) {
    memset(a, '-', sizeof a);
    memset(b, '-', sizeof b);
    memset(c, '-', sizeof c);
    memset(d, '-', sizeof d);
    memset(e, '-', sizeof e);
    if (scanf("%15s", a) != 1) break;
    int got = scanf("%15s%63s %199s", b, c, d);
    got += scanf("%7s", e) * 10;
    show(a);
    show(b);
    show(c);
    show(d);
    show(e);
    printf("%d %d\n", got, n);
    char letters[64] = "before";
    got = scanf("%*63s%c%63s", letters, c);
    show(letters);
    show(c);
    printf("%d\n", got);
  }
}
