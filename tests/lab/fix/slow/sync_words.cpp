// causes: synchronised; input: ints; flags: -O2
#include <iostream>
#include <string>

using namespace std;

int main() {
  string w;
  long n = 0;
  while (cin >> w) n += w.size();
  cout << n << '\n';
}
