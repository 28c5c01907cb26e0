#include <headrace/headrace.hpp>

#include <cstdint>

int main() {
  std::uint64_t all = 0;
  for (const std::uint64_t x : headrace::in.values<std::uint64_t>()) all ^= x;
  headrace::out << all << '\n';
}
