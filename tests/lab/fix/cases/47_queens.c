#include <stdio.h>

static int n;
static long solutions;

static void place(int row, unsigned cols, unsigned d1, unsigned d2) {
  unsigned mask = (1u << n) - 1, avail;
  if (row == n) {
    solutions++;
    return;
  }
  avail = mask & ~(cols | d1 | d2);
  while (avail) {
    unsigned bit = avail & -avail;
    avail ^= bit;
    place(row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1);
  }
}

int main(void) {
  for (n = 1; n <= 14; n++) {
    solutions = 0;
    place(0, 0, 0, 0);
    printf("%2d queens: %ld\n", n, solutions);
    fflush(stdout);
  }
  return 0;
}
