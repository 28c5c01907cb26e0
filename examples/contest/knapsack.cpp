// The maximum value that a knapsack holds, each item at most once.
//
// Input:  n capacity; n pairs: weight, value
// Output: the value
#include <headrace/headrace.hpp>
#include <algorithm>
#include <vector>
using headrace::in, headrace::out;

int main() {
  int n, capacity;
  in >> n >> capacity;
  std::vector<long long> best(capacity + 1);
  for (int weight, value; n-- > 0;) {
    in >> weight >> value;
    for (int room = capacity; room >= weight; --room) best[room] = std::max(best[room], best[room - weight] + value);
  }
  out << best[capacity] << '\n';
}
