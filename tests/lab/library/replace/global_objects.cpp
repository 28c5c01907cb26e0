#include <iostream>

using namespace std;

struct noisy {
  noisy() { cout << "begin\n"; }
  ~noisy() { cout << "end" << endl; }
};
static noisy object;
int main() {
  int n = 0;
  while (cin >> n) cout << n << ' ';
  cout << '\n';
}
