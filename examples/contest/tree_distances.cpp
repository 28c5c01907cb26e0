// Distances in a tree, by the lowest common ancestor and jumps of powers of two.
//
// Input:  n q; the parents of the nodes 1 to n - 1, each less than its child; q pairs
// Output: q lines: the edges between the two
#include <headrace/headrace.hpp>
#include <utility>
#include <vector>
using headrace::in, headrace::out;

int main() {
  int n, q;
  in >> n >> q;
  std::vector<int> depth(n);
  std::vector<std::vector<int>> up(18, std::vector<int>(n));  // n is below 2 to the 18th
  for (int i = 1; i < n; ++i) {
    in >> up[0][i];
    depth[i] = depth[up[0][i]] + 1;
    for (int k = 1; k < 18; ++k) up[k][i] = up[k - 1][up[k - 1][i]];
  }
  for (int a, b; q-- > 0;) {
    in >> a >> b;
    int length = depth[a] + depth[b];
    if (depth[a] < depth[b]) std::swap(a, b);
    for (int k = 18; k-- > 0;)
      if (depth[a] - depth[b] >= 1 << k) a = up[k][a];
    for (int k = 18; k-- > 0;)
      if (up[k][a] != up[k][b]) a = up[k][a], b = up[k][b];
    if (a != b) a = up[0][a];
    out << length - 2 * depth[a] << '\n';
  }
}
