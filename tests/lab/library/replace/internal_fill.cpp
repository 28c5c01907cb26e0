#include <iomanip>
#include <iostream>

using namespace std;

int main() {
  int x;
  while (cin >> x) cout << internal << setfill('0') << setw(8) << x << '|' << showpos << x << noshowpos << '\n';
}
