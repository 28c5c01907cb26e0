#include <iostream>

using namespace std;

int main() {
  ios::sync_with_stdio(false);
  cin.tie(nullptr);
  unsigned u = 3;
  unsigned long long s = 0;
  while (cin >> u) s += u;
  cout << s << ' ' << u << "\n";
}
