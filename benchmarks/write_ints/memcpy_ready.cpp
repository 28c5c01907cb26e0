#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

int main() {
  std::vector<int> values(100000);
  std::uint32_t state = 1;
  for (int& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<int>((state >> 11) % 2000000) - 1000000;
  }
  std::string ready;
  for (const int value : values) ready += std::to_string(value) + '\n';
  std::vector<char> to(ready.size());
  for (int round = 0; round < 100; ++round) {
    std::memcpy(to.data(), ready.data(), ready.size());
    asm volatile("" : : "r"(to.data()) : "memory");  // keeps the copy
  }
}
