// causes: small system calls; input: nothing; flags: -O2
#include <string>
#include <unistd.h>

using namespace std;

int main() {
  for (int i = 0; i < 200000; ++i) {
    string s = to_string(i) + "\n";
    if (write(1, s.data(), s.size()) < 0) return 1;
  }
}
