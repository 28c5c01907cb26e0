#include <bits/stdc++.h>
using namespace std;
typedef long long ll;
#define rep(i, n) for (int i = 0; i < (n); i++)

int main() {
  ios::sync_with_stdio(0);
  cin.tie(0);
  vector<int> a;
  int v;
  while (cin >> v) a.push_back(v);
  int n = a.size();
  int best = INT_MIN;
  rep(i, n) {
    best = max(best, a[i]);
    cout << best - a[i] << endl;
  }
  return 0;
}
