#include <iomanip>
#include <iostream>

using namespace std;

int main() {
  bool b = true;
  for (int i = 0; i < 8; ++i) {
    cin >> b;
    cout << b << boolalpha << b << noboolalpha << setw(4) << b << cin.fail();
    cin.clear();
  }
  cin >> boolalpha >> b;
  cout << b << cin.fail() << endl;
}
