#include <charconv>
#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
  std::vector<int> values(100000);
  std::uint32_t state = 1;
  for (int& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<int>((state >> 11) % 2000000) - 1000000;
  }
  std::vector<char> buffer(65536);
  char* const limit = buffer.data() + buffer.size() - 16;
  char* to = buffer.data();
  for (int round = 0; round < 100; ++round) {
    for (const int value : values) {
      to = std::to_chars(to, to + 12, value).ptr;
      *to++ = '\n';
      if (to > limit) {
        std::fwrite(buffer.data(), 1, static_cast<std::size_t>(to - buffer.data()), stdout);
        to = buffer.data();
      }
    }
  }
  std::fwrite(buffer.data(), 1, static_cast<std::size_t>(to - buffer.data()), stdout);
}
