#include <iostream>

using namespace std;

int main() {
  short a;
  unsigned short b;
  long c;
  unsigned long d;
  long long e;
  unsigned long long f;
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
