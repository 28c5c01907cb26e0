// causes: tie; input: few; flags: -O2
#include <iostream>
#include <string>

using namespace std;

int main() {
  ios::sync_with_stdio(0);
  string l;
  while (getline(cin, l)) cout << l << '\n';
}
