// Whether two nodes are connected, while edges are added, by sets that are united.
//
// Input:  n q; q triples: 0 a b adds an edge, 1 a b asks
// Output: for each 1: yes or no
#include <headrace/headrace.hpp>
#include <numeric>
#include <vector>
using headrace::in, headrace::out;

int main() {
  int n, q;
  in >> n >> q;
  std::vector<int> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  auto root = [&](int a) {
    while (parent[a] != a) a = parent[a] = parent[parent[a]];
    return a;
  };
  for (int kind, a, b; q-- > 0;) {
    in >> kind >> a >> b;
    if (kind == 0) parent[root(a)] = root(b);
    else out << (root(a) == root(b) ? "yes\n" : "no\n");
  }
}
