#include <headrace/headrace.hpp>

#include <algorithm>
#include <vector>

// Blocks of 2,048 pairs, so that the numbers stay in the cache.
int main() {
  std::size_t pairs;
  headrace::in >> pairs;
  std::vector<long long> numbers;
  for (; pairs > 0; pairs -= numbers.size()) {
    numbers.resize(2 * std::min<std::size_t>(pairs, 2048));
    headrace::in.read(numbers);
    for (std::size_t i = 0; i < numbers.size() / 2; ++i) numbers[i] = numbers[2 * i] + numbers[2 * i + 1];
    numbers.resize(numbers.size() / 2);
    headrace::out.write_range(numbers, '\n');
    headrace::out << '\n';
  }
}
