#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <vector>

using namespace std;

int main() {
  ios_base::sync_with_stdio(0);
  cin.tie(0);
  cout.tie(0);
  int n, q;
  if (!(cin >> n >> q)) return 0;
  n = min(abs(n), 1000);
  vector<long long> p(size_t(n) + 1);
  for (int i = 0; i < n; ++i) {
    int x = 3;
    cin >> x;
    p[size_t(i) + 1] = p[size_t(i)] + x;
  }
  for (int i = 0; i <= n; ++i) cout << p[size_t(i)] << " \n"[i == n];
}
