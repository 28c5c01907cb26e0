// causes: flush per line; input: few; flags: -O2
#include <iostream>

using namespace std;

int main() {
  ios::sync_with_stdio(false);
  cin.tie(nullptr);
  int x;
  while (cin >> x) cout << x << endl;
}
