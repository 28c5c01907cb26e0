#include <cmath>
#include <iomanip>
#include <iostream>
#include <random>

using namespace std;

int main() {
  mt19937 r(7);
  for (int i = 0; i < 3000; ++i) {
    double x = ldexp(double(r()), int(r() % 120) - 90);
    cout << setprecision(1 + int(r() % 15)) << x << ' ' << float(x) << '\n';
  }
}
