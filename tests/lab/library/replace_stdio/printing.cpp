#include <cinttypes>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>

using namespace std;

// ---- by_pointer
int main() {
  int (*say)(const char*) = puts;
  int (*read)() = getchar;
  int (*print)(const char*, ...) = printf;
  say("first");
  print("%d\n", read());
  int x = 0;
  scanf("%d", &x);
  printf("%d\n", x);
  print("%d again\n", x);
  say("last");
}

// ---- cases
int main() {
  int tests;
  if (scanf("%d", &tests) != 1) return 1;
  for (int t = 1; t <= tests && t < 100; ++t) {
    long long a = -1, b = -1;
    int got = scanf("%lld%lld", &a, &b);
    printf("Case #%d: %lld (%d)\n", t, a + b, got);
    if (got < 2) break;
  }
}

// ---- counts
int main() {
  int a = 0, at = -1, b = 0, c = 0;
  unsigned d = 0;
  int got = scanf("%d%n %i", &a, &at, &b);
  printf("%d %d %d %d\n", got, a, at, b);
  got = scanf("%x %o %3d", &d, (unsigned*)&b, &c);
  printf("%d %u %d %d\n", got, d, b, c);
  got = scanf(" %% %d", &a);
  printf("%d %d\n", got, a);
}

// ---- counts_again
int main() {
  char word[100];
  getchar();  // from now on the buffer holds something
  for (int i = 0; i < 8; ++i) {
    int a = 0, at = -1, to = -1;
    const int number = scanf("%d%n", &a, &at);
    const int text = scanf(" %99s%%%n", word, &to);
    printf("%d %d %d %d %d %s\n", number, a, at, text, to, text == 1 ? word : "");
    short after = -1;
    const int both = scanf("%*s %99[0-9]%hn%d", word, &after, &a);
    printf("%d %d %d %s\n", both, after, a, both > 0 ? word : "");
  }
}

// ---- doubles
int main() {
  double x;
  float y = 0;
  while (scanf("%lf", &x) == 1) {
    printf("%f %.0f %.1f %.15f %10.3f|%-10.2f|%010.2f\n", x, x, x, x, x, x, x);
    printf("%e %.3e %g %.3g %.10g %.17g %G %E %a\n", x, x, x, x, x, x, x, x, x);
    if (scanf("%f", &y) == 1) printf("%g %.9g %.2lf\n", y, y, y);
  }
  char rest[50];
  if (scanf("%49s", rest) == 1) printf("stopped at %s\n", rest);
}

// ---- formats_at_run_time
int main() {
  const char* const number = "%d";
  const char text[] = "%s and %d\n";
  int x = 0;
  while (scanf(number, &x) == 1) {
    printf(text, "word", x);
    printf(x % 2 ? "%d is odd\n" : "%d is even\n", x);
    printf(&"!%d\n"[x > 3], x);
  }
  printf(text + 7, 3);
}

// ---- how_formats_are_spelt
#define FORMAT "<%d>\n"
#define SCAN(...) scanf(__VA_ARGS__)

template <class T, int N>
T both(T a, T b) {
  return a * N + b;
}

template <class T>
void show(T value) {
  printf("%d\n", value);
  if (sizeof(T) > 1) printf("wide\n");
}

int main() {
  int n = 0, m = 0;
  SCAN(
      "%d"
      " %d",
      &n, &m);
  std::printf("%" PRId64
              "\t\"%d\"\\\x41\102%%\n"
              "%s\n",
              int64_t{n}, m, "a, b");
  ::printf(FORMAT, n);
  printf("%d %d\n", both<int, 3>(n, m), (printf("in "), m));
  auto say = [&](auto value) { printf("%d|" FORMAT, static_cast<int>(value), m); };
  say(2.5);
  say('c');
  show(7);
  show(true);
  printf(R"(raw %d
)",
         n);
  printf("\303\244 ä %s\n", "ö");
  enum color { red, green };
  printf("%d %d %d\n", green, 'x' == 'x', static_cast<short>(-3));
}

// ---- integers_of_all_kinds
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

// ---- left_out
int main() {
  int a = -1, b = -1;
  char word[20] = "";
  int got = scanf("%*d %d %*s %19s %*[ 0-9]%d", &a, word, &b);
  printf("%d %d %s %d\n", got, a, word, b);
  got = scanf("%*d%*d%*d");
  printf("%d\n", got);
  got = scanf("%*lf");
  printf("%d %d\n", got, getchar());
}

// ---- line_buffered
int main() {
  static char room[100];
  setvbuf(stdout, room, _IOLBF, sizeof room);
  char word[300];
  while (scanf("%299s", word) == 1) {
    printf("%s %5d\n%s", word, 7, word);
    fputs("tail", stdout);
  }
}

// ---- long_output
int main() {
  static char text[10001];
  memset(text, 'a', 10000);
  long total = 0;
  for (int i = 0; i < 3000; ++i)
    total += printf("%d %s %5d|%c\n", i, i % 500 == 0 ? text : "short", i * 7, 'b' + i % 20);
  total += printf("%20000d|%-5000s|%03000d\n", 5, "left", -7);
  puts(text);
  fputs(text, stdout);
  for (int i = 0; i < 5000; ++i) putchar('0' + i % 10);
  printf("\n%ld\n", total);
}

// ---- short_lines
int main() {
  char part[5];
  for (int size = 5; size > -1; --size) {
    for (int i = 0; i < 3; ++i) {
      char* got = fgets(part, size, stdin);
      printf("%d: %s|", size, got ? got : "nothing");
    }
  }
}

// ---- tricky_doubles
int main() {
  const double values[] = {0.0,      -0.0,      0.5,  1.5,      2.5,       0.125,  1e15, 1e16,   123456,
                           1234567,  1e-4,      1e-5, 1e300,    1e-300,    5e-324, 0.1,  1 / 3., 2.0 / 3,
                           999999.5, 9.9999995, 1e22, INFINITY, -INFINITY, NAN,    1e100};
  for (double x : values) {
    printf("%f|%.2f|%.0f|%g|%.1g|%.15g|%.16g|%e|%.0e|", x, x, x, x, x, x, x, x, x);
    printf("%8g|%-12g|%012g|%+g|% g|%#g|%F|%40f|%.50f|%*.*f|\n", x, x, x, x, x, x, x, x, x, 9, 2, x);
  }
}

// ---- what_is_returned
int main() {
  int a = printf("%d %s\n", 12, "abc");
  int b = puts("four");
  int c = fputs("five\n", stdout);
  int d = putchar(300);
  int e = printf("");
  int f = printf("%%\n");
  int g = fputc(-1, stdout);
  printf("%d %d %d %d %d %d %d\n", a, b, c, d, e, f, g);
  char* none = nullptr;
  printf("%s %p %p %d\n", none, (void*)nullptr, (void*)16, printf("%c", 0));
}
