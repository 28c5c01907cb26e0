#include <cstdio>
#include <cinttypes>

using namespace std;

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
