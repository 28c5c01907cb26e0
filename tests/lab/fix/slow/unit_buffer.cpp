// causes: unitbuf; input: nothing; flags: -O2
#include <iostream>

using namespace std;

int main() {
  ios::sync_with_stdio(false);
  cout << unitbuf;
  for (int i = 0; i < 200000; ++i) cout << i << '\n';
}
