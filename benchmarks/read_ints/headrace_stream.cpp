#include <headrace/headrace.hpp>

#include <cstdio>

int main() {
  long rows, columns;
  headrace::in >> rows >> columns;
  const long count = rows * columns;
  long long sum = 0;
  for (long i = 0; i < count; ++i) {
    int x;
    headrace::in >> x;
    sum += x;
  }
  std::printf("%lld\n", sum);
}
