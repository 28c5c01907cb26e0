#include <cstdint>
#include <vector>

#include <fast_io.h>
#include <fast_io_device.h>

int main() {
  std::vector<double> values(100000);
  std::uint64_t state = 1;
  for (double& value : values) {
    state = state * 6364136223846793005 + 1442695040888963407;
    value = static_cast<double>(state >> 11) * 0x1p-53 * 2000 - 1000;
  }
  fast_io::basic_obuf<fast_io::posix_io_observer> out(fast_io::posix_stdout());
  for (int round = 0; round < 20; ++round) {
    for (const double value : values) fast_io::io::println(out, value);
  }
}
