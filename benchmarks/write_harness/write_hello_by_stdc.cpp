// Lines "hello! N" by fprintf, until there are enough bytes.
#include <cstdio>

extern "C" long long contender(const char* path, long long size) {
  std::FILE* const file = std::fopen(path, "wb");
  if (file == nullptr) return -1;
  long long written = 0;
  for (int n = 0; written < size; ++n) {
    const int part = std::fprintf(file, "hello! %d\n", n);
    if (part < 0) break;
    written += part;
  }
  return std::fclose(file) == 0 ? written : -1;
}
