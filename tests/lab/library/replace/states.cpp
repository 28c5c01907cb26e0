#include <iostream>

using namespace std;

int main() {
  int a = 5;
  for (int i = 0; i < 6; ++i) {
    cin >> a;
    cout << a << cin.good() << cin.eof() << cin.fail() << cin.bad() << bool(cin) << !cin << cin.rdstate() << ' ';
  }
  cin.clear();
  cin.setstate(ios::failbit);
  cin >> a;
  cout << a << endl;
}
