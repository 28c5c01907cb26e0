#include <cstdio>
#include <vector>

using namespace std;

int main() {
  int n = 0, m = 0;
  if (scanf("%d %d", &n, &m) != 2) return 0;
  vector<vector<int>> next(101);
  for (int i = 0; i < m && i < 1000; ++i) {
    int a, b;
    if (scanf("%d%d", &a, &b) != 2) break;
    if (a >= 0 && a <= 100) next[static_cast<size_t>(a)].push_back(b);
  }
  for (size_t i = 0; i < next.size(); ++i) {
    if (next[i].empty()) continue;
    printf("%zu:", i);
    for (int to : next[i]) printf(" %d", to);
    printf("\n");
  }
}
