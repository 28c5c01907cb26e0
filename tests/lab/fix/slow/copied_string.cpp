// causes: string copies; input: few; flags: -O2
#include <iostream>
#include <string>

using namespace std;

int main() {
  ios::sync_with_stdio(false);
  cin.tie(nullptr);
  string all, w;
  while (cin >> w && all.size() < 400000) {
    all = all + w;
    all = all + ',';
  }
  cout << all << '\n';
}
