// Lines "hello! N" by operator<<, until there are enough bytes; their lengths are counted here.
#include <fstream>

extern "C" long long contender(const char* path, long long size) {
  std::ofstream file(path, std::ios::binary);
  long long written = 0, digits = 1, next = 10;
  for (long long n = 0; written < size && file; ++n) {
    if (n == next) ++digits, next *= 10;
    file << "hello! " << n << '\n';
    written += 8 + digits;
  }
  file.close();
  return file ? written : -1;
}
