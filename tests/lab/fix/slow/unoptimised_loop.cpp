// causes: no optimisation; input: nothing; flags: none
#include <cstdio>
#include <vector>

using namespace std;

int main() {
  vector<unsigned> v(1000, 3);
  unsigned s = 0;
  for (int t = 0; t < 20000; ++t)
    for (size_t i = 0; i < v.size(); ++i) s = s * 31 + v[i];
  printf("%u\n", s);
}
