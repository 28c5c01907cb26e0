#include <iostream>

using namespace std;

int main() {
  long long s = 0, x = 3;
  while (cin >> x) s += x;
  cout << s << '\n' << cin.eof() << cin.fail() << cin.bad() << x << '\n';
}
