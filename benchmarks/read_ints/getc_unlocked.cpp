#include <stdio.h>

static int read_int() {
  int c = getchar_unlocked();
  while (c == ' ' || c == '\n') c = getchar_unlocked();
  const bool negative = c == '-';
  if (negative) c = getchar_unlocked();
  int x = 0;
  for (; c >= '0' && c <= '9'; c = getchar_unlocked()) x = x * 10 + (c - '0');
  return negative ? -x : x;
}

int main() {
  const long rows = read_int();
  const long columns = read_int();
  long long sum = 0;
  for (long i = 0; i < rows * columns; ++i) sum += read_int();
  printf("%lld\n", sum);
}
