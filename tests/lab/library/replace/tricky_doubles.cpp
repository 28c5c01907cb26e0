#include <cmath>
#include <iomanip>
#include <iostream>

using namespace std;

int main() {
  for (double x : {0.0,  -0.0,  1e5,    123456.5, 999999.5, 9999995.0, 0.0001,   0.00001,   1e-5,     1e15,
                   1e16, 1e300, 5e-324, 0.5,      2.5,      1.0000005, 123.4565, 1234565.0, 100000.0, 1e6})
    cout << x << ' ' << -x << ' ' << x * 3 << ' ' << setw(14) << x << ' ' << setprecision(3) << x << setprecision(6)
         << '\n';
  cout << 1 / 0.0 << ' ' << -1 / 0.0 << ' ' << sqrt(-1.0) << endl;
}
