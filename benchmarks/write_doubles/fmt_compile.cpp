#include <cstdint>
#include <cstdio>
#include <iterator>
#include <vector>

#include <fmt/compile.h>
#include <fmt/format.h>

int main() {
  std::vector<double> values(100000);
  std::uint64_t state = 1;
  for (double& value : values) {
    state = state * 6364136223846793005 + 1442695040888963407;
    value = static_cast<double>(state >> 11) * 0x1p-53 * 2000 - 1000;
  }
  fmt::memory_buffer buffer;
  for (int round = 0; round < 20; ++round) {
    for (const double value : values) {
      fmt::format_to(std::back_inserter(buffer), FMT_COMPILE("{}\n"), value);
      if (buffer.size() > 65536) {
        std::fwrite(buffer.data(), 1, buffer.size(), stdout);
        buffer.clear();
      }
    }
  }
  std::fwrite(buffer.data(), 1, buffer.size(), stdout);
}
