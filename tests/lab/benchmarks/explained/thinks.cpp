#include <unistd.h>

static unsigned state = 1;
__attribute__((noinline)) char think(char c) {
  for (int i = 0; i < 16; ++i) state = state * 1664525u + static_cast<unsigned char>(c);
  return state == 7 ? 'x' : c;
}

int main() {
  static char block[65536];
  for (ssize_t got; (got = read(0, block, sizeof block)) > 0;) {
    for (ssize_t i = 0; i < got; ++i) block[i] = think(block[i]);
    if (write(1, block, static_cast<size_t>(got)) != got) return 1;
  }
}
