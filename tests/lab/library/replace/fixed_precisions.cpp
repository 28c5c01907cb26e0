#include <iomanip>
#include <iostream>

using namespace std;

int main() {
  double x;
  while (cin >> x) {
    for (int p : {0, 1, 2, 6, 12, 30}) cout << fixed << setprecision(p) << x / 7 << ' ' << scientific << x / 7 << ' ';
    cout << defaultfloat << x << hexfloat << x << '\n';
  }
}
