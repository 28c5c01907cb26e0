#include <cstdio>
#include <cinttypes>
#include <cstddef>

using namespace std;

int main() {
  signed char a = 0;
  short b = 0;
  unsigned short c = 0;
  unsigned d = 0;
  long e = 0;
  unsigned long long f = 0;
  size_t g = 0;
  int64_t h = 0;
  for (int i = 0; i < 4; ++i) {
    int got = scanf("%hhd %hd %hu %u %ld %llu %zu %" SCNd64, &a, &b, &c, &d, &e, &f, &g, &h);
    printf("%d: %hhd %hd %hu %u %ld %llu %zu %" PRId64 " %jd %td\n", got, a, b, c, d, e, f, g, h, intmax_t{-5},
           &a - &a);
    printf("%x %X %o %#x %lx %hhx %hx %llX %08x %-8x| %hhd %hu\n", d, d, d, d, e, a, b, f, d, d, 300, 70000);
    if (got < 8) scanf("%*s");
  }
}
