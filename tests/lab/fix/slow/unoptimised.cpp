// causes: no optimisation; input: nothing; flags: none
#include <algorithm>
#include <cstdio>
#include <vector>

using namespace std;

int main() {
  vector<int> v(3000000);
  unsigned r = 1;
  for (int& x : v) {
    r = r * 1664525u + 1013904223u;
    x = int(r >> 8);
  }
  sort(v.begin(), v.end());
  printf("%d\n", v[1500000]);
}
