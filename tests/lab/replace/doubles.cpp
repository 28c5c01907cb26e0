#include <iostream>

using namespace std;

int main() {
  double x;
  while (cin >> x) cout << x << ' ';
  cout << cin.fail() << x << '\n';
}
