// causes: small system calls; input: few; flags: -O2
#include <unistd.h>

using namespace std;

int main() {
  char c;
  while (read(STDIN_FILENO, &c, 1) == 1)
    if (write(STDOUT_FILENO, &c, 1) != 1) return 1;
}
