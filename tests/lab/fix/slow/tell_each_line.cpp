// causes: tellp per line; input: nothing; flags: -O2
#include <iostream>

using namespace std;

int main() {
  ios::sync_with_stdio(false);
  long long s = 0;
  for (int i = 0; i < 200000; ++i) {
    cout << i << '\n';
    s += cout.tellp();
  }
  cout << s << '\n';
}
