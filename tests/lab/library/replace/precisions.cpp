#include <iomanip>
#include <iostream>

using namespace std;

int main() {
  double x;
  while (cin >> x) {
    for (int p : {0, 1, 3, 6, 10, 15, 17, 20}) cout << setprecision(p) << x << ' ';
    cout << '\n';
  }
}
