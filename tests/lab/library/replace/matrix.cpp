#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <vector>

using namespace std;

int main() {
  int n, m;
  if (!(cin >> n >> m)) return 1;
  n = min(abs(n), 20);
  m = min(abs(m), 20);
  vector<vector<int>> a(n, vector<int>(m));
  for (auto& r : a)
    for (auto& x : r) cin >> x;
  for (auto& r : a) {
    for (int x : r) cout << setw(8) << x;
    cout << endl;
  }
}
