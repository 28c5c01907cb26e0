#include <iostream>

using namespace std;

int main() {
  float x;
  while (cin >> x) cout << x << ' ' << x / 3 << ' ';
  cout << cin.eof() << x << endl;
}
