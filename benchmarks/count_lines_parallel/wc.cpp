#include <sys/stat.h>

#include <cstdio>

// Each line has its newline, so the characters are the bytes that are none.
int main() {
  struct stat file;
  if (fstat(0, &file) != 0) return 1;
  std::FILE* const from = popen("wc -l", "r");
  unsigned long long count = 0;
  if (from == nullptr || std::fscanf(from, "%llu", &count) != 1 || pclose(from) != 0) return 1;
  std::printf("%llu %llu\n", count, static_cast<unsigned long long>(file.st_size) - count);
}
