#include <iomanip>
#include <iostream>

using namespace std;

int main() {
  int d, m, y;
  char s, t;
  while (cin >> d >> s >> m >> t >> y)
    cout << setfill('0') << setw(4) << y << '-' << setw(2) << m << '-' << setw(2) << d << setfill(' ') << endl;
  cout << (cin.eof() ? "end" : "bad") << endl;
}
