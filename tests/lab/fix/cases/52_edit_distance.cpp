#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int distance(const string& a, const string& b) {
  vector<vector<int>> d(a.size() + 1, vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); i++) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); j++) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); i++)
    for (size_t j = 1; j <= b.size(); j++)
      d[i][j] = min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
  return d[a.size()][b.size()];
}

int main() {
  // plain cin and endl on purpose, there are only a few hundred lines
  vector<string> w;
  string s;
  while (w.size() < 700 && cin >> s) w.push_back(s);
  for (size_t i = 0; i < w.size(); i++) {
    int best = 1000;
    size_t who = i;
    for (size_t j = 0; j < w.size(); j++) {
      if (i == j) continue;
      int d = distance(w[i], w[j]);
      if (d < best) {
        best = d;
        who = j;
      }
    }
    cout << w[i] << " ~ " << w[who] << " (" << best << ")" << endl;
  }
}
