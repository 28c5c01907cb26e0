// The length of the longest strictly increasing subsequence.
//
// Input:  n; n integers
// Output: the length
#include <headrace/headrace.hpp>
#include <algorithm>
#include <vector>
using headrace::in, headrace::out;

int main() {
  int n;
  in >> n;
  std::vector<int> ends;  // ends[k]: the smallest end of an increasing subsequence of k + 1 elements
  for (int x; n-- > 0;) {
    in >> x;
    auto at = std::lower_bound(ends.begin(), ends.end(), x);
    if (at == ends.end()) ends.push_back(x);
    else *at = x;
  }
  out << ends.size() << '\n';
}
