// causes: synchronised; input: ints; flags: -O2
#include <iostream>
#include <string>

using namespace std;

int main() {
  string l;
  long n = 0;
  while (getline(cin, l)) n += l.size();
  cout << n << '\n';
}
