#include <iostream>
#include <string>

using namespace std;

int main() {
  int n = 0;
  cin >> n;
  for (int i = 0; i < 30000; ++i) cout << i * 7919 << ' ' << n << (i % 10 ? " " : "\n");
  cout << string(200000, 'x') << endl;
}
