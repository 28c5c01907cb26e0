// causes: tie, synchronised; input: few; flags: -O2
#include <iostream>

using namespace std;

int main() {
  char c;
  while (cin.get(c)) cout << c;
}
