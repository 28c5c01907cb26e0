#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CAP (256 * 1024)
static char* buf;
static size_t used;

static void drain(void) {
  size_t off = 0;
  while (off < used) {
    ssize_t k = write(1, buf + off, used - off);
    if (k <= 0) exit(1);
    off += (size_t)k;
  }
  used = 0;
}

static void put_num(unsigned v) {
  char t[12];
  int n = 12;
  do {
    t[--n] = (char)('0' + v % 10);
    v /= 10;
  } while (v);
  if (used + 13 > CAP) drain();
  memcpy(buf + used, t + n, 12 - n);
  used += 12 - n;
  buf[used++] = '\n';
}

int main(void) {
  unsigned i, s = 1;
  buf = malloc(CAP);
  for (i = 0; i < 4000000; i++) {
    s = s * 1103515245u + 12345u;
    put_num(s >> 4);
  }
  drain();
  free(buf);
  return 0;
}
