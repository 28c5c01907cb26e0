#include <cstdio>
#include <cmath>

using namespace std;

int main() {
  const double values[] = {0.0,      -0.0,      0.5,  1.5,      2.5,       0.125,  1e15, 1e16,   123456,
                           1234567,  1e-4,      1e-5, 1e300,    1e-300,    5e-324, 0.1,  1 / 3., 2.0 / 3,
                           999999.5, 9.9999995, 1e22, INFINITY, -INFINITY, NAN,    1e100};
  for (double x : values) {
    printf("%f|%.2f|%.0f|%g|%.1g|%.15g|%.16g|%e|%.0e|", x, x, x, x, x, x, x, x, x);
    printf("%8g|%-12g|%012g|%+g|% g|%#g|%F|%40f|%.50f|%*.*f|\n", x, x, x, x, x, x, x, x, x, 9, 2, x);
  }
}
