// causes: tie; input: few; flags: -O2
#include <iostream>

using namespace std;

int main() {
  ios::sync_with_stdio(false);
  int x;
  while (cin >> x) cout << x + 1 << '\n';
}
