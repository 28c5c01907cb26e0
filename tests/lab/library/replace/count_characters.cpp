#include <iostream>
#include <map>

using namespace std;

int main() {
  map<char, int> m;
  char c;
  while (cin >> c) ++m[c];
  for (auto [k, n] : m) cout << k << '=' << n << ' ';
  cout << endl;
}
