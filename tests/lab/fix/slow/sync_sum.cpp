// causes: synchronised; input: ints; flags: -O2
#include <iostream>

using namespace std;

int main() {
  long long s = 0;
  int x;
  while (cin >> x) s += x;
  cout << s << '\n';
}
