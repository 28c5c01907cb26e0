#include <cstdio>

using namespace std;

int main() {
  double x;
  float y = 0;
  while (scanf("%lf", &x) == 1) {
    printf("%f %.0f %.1f %.15f %10.3f|%-10.2f|%010.2f\n", x, x, x, x, x, x, x);
    printf("%e %.3e %g %.3g %.10g %.17g %G %E %a\n", x, x, x, x, x, x, x, x, x);
    if (scanf("%f", &y) == 1) printf("%g %.9g %.2lf\n", y, y, y);
  }
  char rest[50];
  if (scanf("%49s", rest) == 1) printf("stopped at %s\n", rest);
}
