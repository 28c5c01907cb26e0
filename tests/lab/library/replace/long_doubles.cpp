#include <iostream>

using namespace std;

int main() {
  long double x;
  while (cin >> x) cout << x << ' ' << x / 3 << ' ';
  cout << endl;
}
