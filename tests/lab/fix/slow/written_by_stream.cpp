// causes: string streams, synchronised; input: nothing; flags: -O2
#include <cstdio>
#include <sstream>

using namespace std;

int main() {
  for (int i = 0; i < 300000; ++i) {
    ostringstream t;
    t << i;
    puts(t.str().c_str());
  }
}
