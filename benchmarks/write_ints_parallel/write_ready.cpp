#include <cstdint>
#include <string>
#include <vector>

#include <unistd.h>

int main() {
  std::vector<int> values(100000);
  std::uint32_t state = 1;
  for (int& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<int>((state >> 11) % 2000000) - 1000000;
  }
  std::string ready;
  for (const int value : values) ready += std::to_string(value) + '\n';
  for (int round = 0; round < 100; ++round) {
    for (std::size_t done = 0; done < ready.size();) {
      const auto put = ::write(1, ready.data() + done, ready.size() - done);
      if (put < 0) return 1;
      done += static_cast<std::size_t>(put);
    }
  }
}
