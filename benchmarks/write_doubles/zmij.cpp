#include <cstdint>
#include <cstdio>
#include <vector>

#include <zmij.cc>  // its one source file

int main() {
  std::vector<double> values(100000);
  std::uint64_t state = 1;
  for (double& value : values) {
    state = state * 6364136223846793005 + 1442695040888963407;
    value = static_cast<double>(state >> 11) * 0x1p-53 * 2000 - 1000;
  }
  std::vector<char> buffer(65536);
  char* const limit = buffer.data() + buffer.size() - 64;
  char* to = buffer.data();
  for (int round = 0; round < 20; ++round) {
    for (const double value : values) {
      to = zmij::write(to, 64, value);
      *to++ = '\n';
      if (to > limit) {
        std::fwrite(buffer.data(), 1, static_cast<std::size_t>(to - buffer.data()), stdout);
        to = buffer.data();
      }
    }
  }
  std::fwrite(buffer.data(), 1, static_cast<std::size_t>(to - buffer.data()), stdout);
}
