#include <cstdint>
#include <cstdio>
#include <vector>

#include <simditoa.cpp>

int main() {
  std::vector<int> values(100000);
  std::uint32_t state = 1;
  for (int& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<int>((state >> 11) % 2000000) - 1000000;
  }
  std::vector<char> buffer(65536);
  char* const limit = buffer.data() + buffer.size() - 32;  // it writes 16 bytes past a value's first
  char* to = buffer.data();
  for (int round = 0; round < 100; ++round) {
    for (const int value : values) {
      to += simditoa::WAY(std::int64_t{value}, to);
      *to++ = '\n';
      if (to > limit) {
        std::fwrite(buffer.data(), 1, static_cast<std::size_t>(to - buffer.data()), stdout);
        to = buffer.data();
      }
    }
  }
  std::fwrite(buffer.data(), 1, static_cast<std::size_t>(to - buffer.data()), stdout);
}
