#include <iostream>

using namespace std;

int main() {
  short a = 0;
  unsigned short b = 0;
  long c = 0;
  unsigned long d = 0;
  long long e = 0;
  unsigned long long f = 0;
  cin >> a;
  cout << a << cin.fail();
  cin.clear();
  cin >> b;
  cout << ' ' << b << cin.fail();
  cin.clear();
  cin >> c;
  cout << ' ' << c << cin.fail();
  cin.clear();
  cin >> d;
  cout << ' ' << d << cin.fail();
  cin.clear();
  cin >> e;
  cout << ' ' << e << cin.fail();
  cin.clear();
  cin >> f;
  cout << ' ' << f << cin.fail() << endl;
}
