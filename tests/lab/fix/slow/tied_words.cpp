// causes: tie; input: few; flags: -O2
#include <iostream>
#include <string>

using namespace std;

int main() {
  std::ios_base::sync_with_stdio(false);
  string w;
  while (cin >> w) cout << w << ' ' << w.size() << '\n';
}
