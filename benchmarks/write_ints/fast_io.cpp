#include <cstdint>
#include <vector>

#include <fast_io.h>
#include <fast_io_device.h>

int main() {
  std::vector<int> values(100000);
  std::uint32_t state = 1;
  for (int& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<int>((state >> 11) % 2000000) - 1000000;
  }
  fast_io::basic_obuf<fast_io::posix_io_observer> out(fast_io::posix_stdout());
  for (int round = 0; round < 100; ++round) {
    for (const int value : values) fast_io::io::println(out, value);
  }
}
