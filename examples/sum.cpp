// A contest task: n, then n integers; print their sum.
//
//     g++ -std=c++17 -O2 -I include examples/sum.cpp -o sum && ./sum < examples/sum.in
#include <headrace/headrace.hpp>

#include <numeric>
#include <vector>

using headrace::in, headrace::out;

int main() {
  std::size_t n = 0;
  in >> n;
  std::vector<long long> values(n);
  in.read(values);  // all of them at once: this is the fast way
  out << std::accumulate(values.begin(), values.end(), 0LL) << '\n';
}
