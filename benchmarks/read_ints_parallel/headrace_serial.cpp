#include <headrace/headrace.hpp>

#include <array>
#include <cstdio>

int main() {
  long rows, columns;
  headrace::in >> rows >> columns;
  std::array<int, 4096> block;
  long long sum = 0;
  long left = rows * columns;
  for (const long size = block.size(); left >= size; left -= size) {
    headrace::in.read(block);
    for (const int x : block) sum += x;
  }
  for (; left > 0; --left) sum += headrace::in.read<int>();
  std::printf("%lld\n", sum);
}
