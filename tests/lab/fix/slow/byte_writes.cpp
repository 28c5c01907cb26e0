// causes: small system calls; input: nothing; flags: -O2
#include <unistd.h>

using namespace std;

int main() {
  for (int i = 0; i < 400000; ++i) {
    char c = static_cast<char>('a' + i % 26);
    if (write(1, &c, 1) != 1) return 1;
  }
}
