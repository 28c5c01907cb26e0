#include <iostream>

using namespace std;

int main() {
  int n = 0;
  while (cin >> n) {
    cout << n << '\n';
    if (cout.tellp() >= 0) cout << "";
  }
  cout << endl;
  cerr << "";
}
