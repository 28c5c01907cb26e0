#include <fcntl.h>
#include <unistd.h>
#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
  const char* name = "image.bin";
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC, 0600);
  if (fd < 0) {
    perror(name);
    return 1;
  }
  std::vector<uint32_t> block(1 << 18);
  uint32_t s = 1;
  uint64_t total = 0;
  for (int b = 0; b < 48; ++b) {
    for (auto& w : block) {
      s += 0x9e3779b9u;
      w = s;
    }
    ssize_t n = write(fd, block.data(), block.size() * sizeof(uint32_t));
    if (n < 0) {
      perror("write");
      return 1;
    }
    total += n;
  }
  close(fd);
  printf("%llu bytes\n", (unsigned long long)total);
  unlink(name);
  return 0;
}
