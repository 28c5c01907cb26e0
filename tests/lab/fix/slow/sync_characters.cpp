// causes: synchronised; input: ints; flags: -O2
#include <iostream>

using namespace std;

int main() {
  char c;
  long n = 0;
  while (cin.get(c)) n += c == '\n';
  cout << n << '\n';
}
