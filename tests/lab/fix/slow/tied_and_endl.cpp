// causes: tie, flush per line; input: few; flags: -O2
#include <iostream>

using namespace std;

int main() {
  int x;
  while (cin >> x) cout << x * 2 << endl;
}
