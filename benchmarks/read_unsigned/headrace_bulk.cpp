#include <headrace/headrace.hpp>

#include <array>
#include <cstdint>

int main() {
  std::array<std::uint64_t, 4096> block;
  std::uint64_t all = 0;
  std::size_t got;
  while ((got = headrace::in.read_some(block)) > 0) {
    for (std::size_t i = 0; i < got; ++i) all ^= block[i];
  }
  headrace::out << all << '\n';
}
