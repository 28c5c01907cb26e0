// causes: flush per line; input: nothing; flags: -O2
#include <iostream>

using namespace std;

int main() {
  for (int i = 0; i < 300000; ++i) cout << i << '\n' << flush;
}
