// causes: tellp per line; input: few; flags: -O2
#include <cstdio>
#include <iostream>
#include <string>

using namespace std;

int main() {
  ios::sync_with_stdio(false);
  cin.tie(nullptr);
  string l;
  long long s = 0;
  while (getline(cin, l)) {
    s += cin.tellg();
    cin.clear();
    if (cin.peek() == EOF) break;
  }
  cout << (s > 0) << '\n';
}
