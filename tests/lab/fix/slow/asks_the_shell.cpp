// causes: other processes; input: nothing; flags: -O2
#include <cstdio>
#include <cstdlib>

using namespace std;

int main() {
  for (int i = 0; i < 60; ++i) {
    if (system("true")) return 1;
  }
  puts("done");
}
