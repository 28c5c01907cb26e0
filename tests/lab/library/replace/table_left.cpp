#include <iomanip>
#include <iostream>
#include <string>

using namespace std;

int main() {
  string w;
  double x;
  cout << left << setw(12) << "Name" << right << setw(10) << "Price" << '\n'
       << setfill('-') << setw(22) << "" << setfill(' ') << endl;
  while (cin >> w >> x) cout << left << setw(12) << w << right << setw(10) << fixed << setprecision(2) << x << '\n';
}
