#include <iostream>

using namespace std;

int main() {
  double x = 3;
  while (cin >> x) cout << x << ' ';
  cout << cin.fail() << x << '\n';
}
