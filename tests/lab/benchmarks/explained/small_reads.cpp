#include <unistd.h>
int main() {
  static char block[65536];
  size_t held = 0;
  for (ssize_t got; (got = read(0, block + held, 64)) > 0;) {
    held += static_cast<size_t>(got);
    if (held < sizeof block) continue;
    if (write(1, block, held) < 0) return 1;
    held = 0;
  }
  return write(1, block, held) < 0;
}
