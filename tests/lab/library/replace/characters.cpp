#include <iomanip>
#include <iostream>

using namespace std;

int main() {
  signed char a;
  unsigned char b;
  char c;
  while (cin >> a >> b >> c) cout << a << b << c << setw(3) << c << '.';
  cout << endl;
}
