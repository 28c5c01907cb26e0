// causes: small system calls; input: few; flags: -O2
#include <cstdio>
#include <unistd.h>

using namespace std;

int main() {
  char c;
  long n = 0;
  while (read(0, &c, 1) == 1) n += c == '\n';
  printf("%ld\n", n);
}
