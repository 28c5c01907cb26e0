#include <headrace/split.hpp>

#include <cstdint>
#include <vector>

int main() {
  std::vector<int> values(100000);
  std::uint32_t state = 1;
  for (int& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<int>((state >> 11) % 2000000) - 1000000;
  }
  std::vector<int> all;
  for (int round = 0; round < 100; ++round) all.insert(all.end(), values.begin(), values.end());
  headrace::write_all(headrace::out, all, headrace::threads{THREADS});
}
