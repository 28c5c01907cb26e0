#include <headrace/headrace.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <unistd.h>

int main() {
  std::vector<double> values(100000);
  std::uint64_t state = 1;
  for (double& value : values) {
    state = state * 6364136223846793005 + 1442695040888963407;
    value = static_cast<double>(state >> 11) * 0x1p-53 * 2000 - 1000;
  }
  std::string ready;
  auto text = headrace::writer::into(ready);
  for (const double value : values) text << value << '\n';
  text.close();
  for (int round = 0; round < 20; ++round) {
    for (std::size_t done = 0; done < ready.size();) {
      const auto put = ::write(1, ready.data() + done, ready.size() - done);
      if (put < 0) return 1;
      done += static_cast<std::size_t>(put);
    }
  }
}
