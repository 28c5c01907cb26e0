#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef BUFFER
#define BUFFER 262144
#define RESERVE 0
#endif

int main() {
  alignas(4096) static char block[BUFFER];
  struct stat from;
  if (RESERVE && fstat(0, &from) == 0 && S_ISREG(from.st_mode)) {
    fallocate(1, FALLOC_FL_KEEP_SIZE, 0, from.st_size);  // a hint: where it fails, the writes allocate
  }
  ssize_t got;
  while ((got = read(0, block, sizeof block)) > 0) {
    for (ssize_t done = 0; done < got;) {
      const ssize_t put = write(1, block + done, static_cast<size_t>(got - done));
      if (put < 0) return 1;
      done += put;
    }
  }
  return got < 0;
}
