#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

static char in[1 << 16];
static size_t inLen = 0, inPos = 0;
static inline int gc() {
  if (inPos == inLen) {
    inLen = fread(in, 1, sizeof in, stdin);
    inPos = 0;
    if (inLen == 0) return -1;
  }
  return (unsigned char)in[inPos++];
}
static bool readInt(int& x) {
  int c = gc();
  while (c != '-' && (c < '0' || c > '9')) {
    if (c < 0) return false;
    c = gc();
  }
  bool neg = c == '-';
  if (neg) c = gc();
  x = 0;
  while (c >= '0' && c <= '9') {
    x = x * 10 + (c - '0');
    c = gc();
  }
  if (neg) x = -x;
  return true;
}

static char out[1 << 16];
static size_t outLen = 0;
static void flushOut() {
  fwrite(out, 1, outLen, stdout);
  outLen = 0;
}
static void put(unsigned v, unsigned base, char end) {
  char t[40];
  int n = 40;
  t[--n] = end;
  do {
    t[--n] = "0123456789abcdef"[v % base];
    v /= base;
  } while (v);
  if (outLen + 40 > sizeof out) flushOut();
  memcpy(out + outLen, t + n, 40 - n);
  outLen += 40 - n;
}

int main() {
  int x;
  while (readInt(x)) {
    unsigned u = x < 0 ? 0u - (unsigned)x : x;
    for (unsigned b : {2u, 8u, 10u, 16u}) put(u, b, b == 16 ? '\n' : ' ');
  }
  flushOut();
}
