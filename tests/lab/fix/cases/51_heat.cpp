#include <iostream>
#include <vector>
using namespace std;

typedef vector<vector<double>> Grid;

void step(const Grid& a, Grid& b) {
  for (size_t i = 1; i + 1 < a.size(); i++)
    for (size_t j = 1; j + 1 < a[i].size(); j++)
      b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

int main() {
  const int n = 200, rounds = 120;
  Grid a(n, vector<double>(n, 0.0)), b = a;
  for (int i = 0; i < n; i++) a[0][i] = b[0][i] = 100.0;
  for (int r = 0; r < rounds; r++) {
    step(a, b);
    swap(a, b);
  }
  for (int i = 0; i < n; i += 20) cout << a[i][n / 2] << endl;
  return 0;
}
