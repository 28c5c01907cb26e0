#include <stdio.h>
#include <stdarg.h>

/* always call this one so that nothing gets lost */
static void say(const char* fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vprintf(fmt, ap);
  va_end(ap);
  fflush(stdout);
}

static int digits(long x) {
  int s = 0;
  if (x < 0) x = -x;
  while (x) {
    s += x % 10;
    x /= 10;
  }
  return s;
}

int main(void) {
  long x, n = 0, odd = 0;
  char buf[64];
  while (fgets(buf, sizeof buf, stdin)) {
    sscanf(buf, "%ld", &x);
    n++;
    if (x & 1) odd++;
    if (n <= 300000) say("%ld %d\n", x, digits(x));
  }
  say("n=%ld odd=%ld\n", n, odd);
  return 0;
}
