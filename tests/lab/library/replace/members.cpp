#include <iostream>

using namespace std;

int main() {
  int n = 0;
  while (cin >> n) {
    cout.width(6);
    cout.fill('*');
    cout << n;
    cout.setf(ios::left, ios::adjustfield);
    cout.width(5);
    cout << n << '|';
    cout.unsetf(ios::left);
    cout.precision(3);
    cout << n / 7.0;
    cout.put('\n');
    cout.write("abc", 2).put('\n');
  }
  cout.flush();
}
