// The product of two matrices, modulo 998244353.
//
// Input:  n m k; n x m integers; m x k integers, all from 0 to 10^9
// Output: n rows of k integers
#include <headrace/headrace.hpp>
#include <vector>
using headrace::in, headrace::out;

int main() {
  int n, m, k;
  in >> n >> m >> k;
  std::vector<std::vector<int>> a(n, std::vector<int>(m)), b(m, std::vector<int>(k));
  for (auto& row : a)
    for (int& x : row) in >> x;
  for (auto& row : b)
    for (int& x : row) in >> x;
  for (int i = 0; i < n; ++i) {
    std::vector<long long> row(k);
    for (int j = 0; j < m; ++j)
      for (int l = 0; l < k; ++l) row[l] = (row[l] + 1ll * a[i][j] * b[j][l]) % 998244353;
    for (int l = 0; l < k; ++l) out << row[l] << (l + 1 < k ? ' ' : '\n');
  }
}
