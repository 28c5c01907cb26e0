#include <iostream>

using namespace std;

int main() {
  unsigned x = 7;
  while (cin >> x) cout << x << ' ';
  cout << x << cin.fail() << cin.eof() << endl;
}
