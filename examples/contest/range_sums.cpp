// Sums of ranges of a fixed sequence, by prefix sums.
//
// Input:  n q; n integers; q pairs l r with 0 <= l <= r <= n
// Output: q lines: the sum of the elements l to r - 1
#include <headrace/headrace.hpp>
#include <vector>
using headrace::in, headrace::out;

int main() {
  int n, q;
  in >> n >> q;
  std::vector<long long> before(n + 1);
  for (int i = 0; i < n; ++i) {
    in >> before[i + 1];
    before[i + 1] += before[i];
  }
  for (int l, r; q-- > 0;) {
    in >> l >> r;
    out << before[r] - before[l] << '\n';
  }
}
