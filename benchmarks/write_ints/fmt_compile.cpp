#include <cstdint>
#include <cstdio>
#include <iterator>
#include <vector>

#include <fmt/compile.h>
#include <fmt/format.h>

int main() {
  std::vector<int> values(100000);
  std::uint32_t state = 1;
  for (int& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<int>((state >> 11) % 2000000) - 1000000;
  }
  fmt::memory_buffer buffer;
  for (int round = 0; round < 100; ++round) {
    for (const int value : values) {
      fmt::format_to(std::back_inserter(buffer), FMT_COMPILE("{}\n"), value);
      if (buffer.size() > 65536) {
        std::fwrite(buffer.data(), 1, buffer.size(), stdout);
        buffer.clear();
      }
    }
  }
  std::fwrite(buffer.data(), 1, buffer.size(), stdout);
}
