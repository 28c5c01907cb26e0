#include <iomanip>
#include <iostream>
#include <map>
#include <string>

using namespace std;

int main() {
  map<string, int> m;
  string w;
  while (cin >> w) ++m[w];
  for (auto& [k, n] : m) cout << left << setw(15) << k << right << setw(5) << n << '\n';
  cout << m.size() << endl;
}
