#include <iomanip>
#include <iostream>

using namespace std;

int main() {
  double x;
  while (cin >> x) {
    ios::fmtflags f(cout.flags());
    auto p = cout.precision();
    cout << hex << showbase << int(x) << fixed << setprecision(3) << x;
    cout.flags(f);
    cout.precision(p);
    cout << ' ' << x << ' ' << cout.fill() << endl;
  }
}
