#include <iostream>

using namespace std;

int main() {
  float x = 3;
  while (cin >> x) cout << x << ' ' << x / 3 << ' ';
  cout << cin.eof() << x << endl;
}
