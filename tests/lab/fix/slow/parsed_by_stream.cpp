// causes: string streams, synchronised; input: ints; flags: -O2
#include <iostream>
#include <sstream>
#include <string>

using namespace std;

int main() {
  ios::sync_with_stdio(false);
  cin.tie(nullptr);
  string l;
  long long s = 0;
  while (getline(cin, l)) {
    stringstream t(l);
    int x;
    if (t >> x) s += x;
  }
  cout << s << '\n';
}
