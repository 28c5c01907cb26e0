// Blocks of 1 MiB by write(2).
#include <fcntl.h>
#include <unistd.h>

#include <string>

extern "C" long long contender(const char* path, long long size) {
  const std::string block(1 << 20, 'x');
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return -1;
  long long written = 0;
  while (written < size) {
    const ssize_t part = write(file, block.data(), block.size());
    if (part < 0) break;
    written += part;
  }
  return close(file) == 0 ? written : -1;
}
