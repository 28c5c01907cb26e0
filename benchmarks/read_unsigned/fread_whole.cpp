#include <cstdint>
#include <cstdio>
#include <string>

// The whole input into memory, with a '\0' after it, then one loop.
int main() {
  std::string text;
  std::size_t size = 0;
  if (std::fseek(stdin, 0, SEEK_END) == 0) {
    text.resize(static_cast<std::size_t>(std::ftell(stdin)));
    std::rewind(stdin);
    size = std::fread(&text[0], 1, text.size(), stdin);
  } else {  // a pipe does not tell its length
    std::size_t got = 0;
    do {
      size += got;
      text.resize(size + (1 << 20));
    } while ((got = std::fread(&text[size], 1, 1 << 20, stdin)) > 0);
  }
  text.resize(size);
  std::uint64_t all = 0;
  for (const char* at = text.c_str(); *at != '\0'; ++at) {
    std::uint64_t x = 0;
    for (; *at >= '0'; ++at) x = x * 10 + static_cast<std::uint64_t>(*at - '0');
    all ^= x;
    if (*at == '\0') break;
  }
  std::printf("%llu\n", static_cast<unsigned long long>(all));
}
