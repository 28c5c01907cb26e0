#include <headrace/headrace.hpp>

#include <cstdint>

int main() {
  std::uint64_t x, all = 0;
  while (headrace::in.try_read(x)) all ^= x;
  headrace::out << all << '\n';
}
