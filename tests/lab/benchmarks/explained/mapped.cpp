#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
int main() {
  struct stat facts;
  if (fstat(0, &facts) != 0) return 1;
  const size_t size = static_cast<size_t>(facts.st_size);
  char* const text = static_cast<char*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, 0, 0));
  if (text == MAP_FAILED) return 1;
  for (size_t i = 0; i < size; i += 4096) text[i] = static_cast<char>(text[i] ^ 0);
  return write(1, text, size) < 0;
}
