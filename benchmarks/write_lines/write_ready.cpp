#include <string>

#include <unistd.h>

int main() {
  // the lines of one million numbers of seven digits, written over and over: as many bytes as the others write
  std::string ready;
  for (int i = 1000000; i < 1100000; ++i) ready += "hello! " + std::to_string(i) + '\n';
  for (std::size_t left = 104857590; left > 0;) {
    const auto put = ::write(1, ready.data(), left < ready.size() ? left : ready.size());
    if (put < 0) return 1;
    left -= static_cast<std::size_t>(put);
  }
}
