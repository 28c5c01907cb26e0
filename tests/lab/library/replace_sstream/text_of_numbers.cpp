#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

using namespace std;

string text_of(double value) {
  ostringstream to;
  to << value << '|' << fixed << setprecision(2) << value << '|' << scientific << value << '|' << setw(14) << value;
  to << '|' << left << setfill('*') << setw(14) << value << '|' << hexfloat << value;
  return to.str();
}

int main() {
  double value;
  while (cin >> value) {
    cout << text_of(value) << '\n';
    ostringstream again;
    again << value << ' ' << static_cast<float>(value) << ' ' << static_cast<long long>(value > 1e9 ? 1 : 2);
    cout << again.str() << again.tellp() << '\n';
  }
}
