// Sums of ranges of a sequence that changes, by a binary indexed tree (P. M. Fenwick, 1994).
//
// Input:  n q; n integers; q triples: 0 i x adds x to element i, 1 l r asks
// Output: for each 1: the sum of the elements l to r - 1
#include <headrace/headrace.hpp>
#include <vector>
using headrace::in, headrace::out;

int main() {
  int n, q;
  in >> n >> q;
  std::vector<long long> tree(n + 1);
  auto add = [&](int i, long long x) {
    for (++i; i <= n; i += i & -i) tree[i] += x;
  };
  auto sum = [&](int i) {
    long long total = 0;
    for (; i > 0; i -= i & -i) total += tree[i];
    return total;
  };
  for (int i = 0; i < n; ++i) {
    long long x;
    in >> x;
    add(i, x);
  }
  for (int kind, a, b; q-- > 0;) {
    in >> kind >> a >> b;
    if (kind == 0) add(a, b);
    else out << sum(b) - sum(a) << '\n';
  }
}
