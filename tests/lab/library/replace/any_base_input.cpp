#include <iostream>

using namespace std;

int main() {
  int x;
  cin.unsetf(ios::basefield);
  while (cin >> x) cout << x << ' ';
  cout << endl;
}
