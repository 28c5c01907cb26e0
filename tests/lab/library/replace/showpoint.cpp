#include <iostream>

using namespace std;

int main() {
  double x;
  cout << showpoint;
  while (cin >> x) cout << x << ' ';
  cout << noshowpoint << 2.0 << endl;
}
