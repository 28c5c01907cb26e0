#include <vector>

#include <unistd.h>

int main() {
  std::vector<char> block(1 << 20);
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = static_cast<char>('a' + i % 26);
  for (int i = 0; i < 100; ++i) {
    for (std::size_t done = 0; done < block.size();) {
      const auto put = ::write(1, block.data() + done, block.size() - done);
      if (put < 0) return 1;
      done += static_cast<std::size_t>(put);
    }
  }
}
