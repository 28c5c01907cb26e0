#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <vector>

int main() {
  std::ios::sync_with_stdio(false);
  int n = 3, m = 3;
  std::cin >> n >> m;
  n = std::min(std::abs(n), 100) + 1;
  std::vector<std::vector<int>> g(n);
  for (int a, b; std::cin >> a >> b;) g[unsigned(a) % n].push_back(b);
  for (int i = 0; i < n; ++i) {
    std::cout << i << ":";
    for (int x : g[i]) std::cout << " " << x;
    std::cout << std::endl;
  }
}
