#include <charconv>
#include <cstdio>
#include <cstring>
#include <vector>

int main() {
  std::vector<char> buffer(65536);
  char* const limit = buffer.data() + buffer.size() - 32;
  char* to = buffer.data();
  for (int i = 0; i < 7064580; ++i) {
    std::memcpy(to, "hello! ", 7);
    to = std::to_chars(to + 7, to + 18, i).ptr;
    *to++ = '\n';
    if (to > limit) {
      std::fwrite(buffer.data(), 1, static_cast<std::size_t>(to - buffer.data()), stdout);
      to = buffer.data();
    }
  }
  std::fwrite(buffer.data(), 1, static_cast<std::size_t>(to - buffer.data()), stdout);
}
