#include <unistd.h>

int main() {
  static char block[8192];
  ssize_t got;
  while ((got = read(0, block, sizeof block)) > 0) {
    for (ssize_t done = 0; done < got;) {  // a write may take only a part
      const ssize_t put = write(1, block + done, static_cast<size_t>(got - done));
      if (put < 0) return 1;
      done += put;
    }
  }
  return got < 0;
}
