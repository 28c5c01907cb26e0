#include <headrace/headrace.hpp>

#include <cstdint>
#include <vector>

int main() {
  std::vector<double> values(100000);
  std::uint64_t state = 1;
  for (double& value : values) {
    state = state * 6364136223846793005 + 1442695040888963407;
    value = static_cast<double>(state >> 11) * 0x1p-53 * 2000 - 1000;
  }
  for (int round = 0; round < 20; ++round) {
    headrace::out.write_range(values, '\n');
    headrace::out << '\n';
  }
}
