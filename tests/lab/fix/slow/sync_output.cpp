// causes: synchronised; input: nothing; flags: -O2
#include <iostream>

using namespace std;

int main() {
  for (int i = 0; i < 400000; ++i) cout << i << ' ' << i % 7 << '\n';
}
