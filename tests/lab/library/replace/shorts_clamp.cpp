#include <iostream>

using namespace std;

int main() {
  short x = 3;
  for (int i = 0; i < 12; ++i) {
    cin >> x;
    cout << x << (cin.fail() ? "f" : "-") << (cin.eof() ? "e " : "- ");
    if (cin.fail() && !cin.eof()) {
      cin.clear();
      cin.get();
    }
  }
  cout << endl;
}
