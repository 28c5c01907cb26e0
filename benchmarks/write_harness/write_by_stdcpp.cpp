// Blocks of 1 MiB by std::ofstream.
#include <fstream>
#include <string>

extern "C" long long contender(const char* path, long long size) {
  const std::string block(1 << 20, 'x');
  std::ofstream file(path, std::ios::binary);
  long long written = 0;
  while (written < size && file.write(block.data(), static_cast<std::streamsize>(block.size())))
    written += static_cast<long long>(block.size());
  file.close();
  return file ? written : -1;
}
