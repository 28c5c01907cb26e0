#include <cstdio>
#include <string>
#include <type_traits>

template <typename T>
void emit(const T& value, char end = ' ') {
  if constexpr (std::is_integral<T>::value) std::fprintf(stdout, "%lld%c", static_cast<long long>(value), end);
  else std::fprintf(stdout, "%s%c", value.c_str(), end);
  if (end == '\n') std::fflush(stdout);
}

template <typename First, typename... Rest>
void emitLine(const First& first, const Rest&... rest) {
  if constexpr (sizeof...(rest) == 0) {
    emit(first, '\n');
  } else {
    emit(first);
    emitLine(rest...);
  }
}

// Collatz lengths
static int collatz(long long n) {
  int len = 1;
  while (n != 1 && len < 40) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++len;
  }
  return len;
}

int main() {
  const std::string tag = "len";
  for (int i = 1; i <= 250000; ++i) emitLine(i, tag, collatz(i));
}
