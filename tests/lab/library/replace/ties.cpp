#include <iostream>

using namespace std;

int main() {
  cout << (cin.tie() == &cout);
  ostream* old = cin.tie(nullptr);
  cout << (cin.tie() == nullptr) << (old == &cout);
  cin.tie(&cout);
  int n = 0;
  cin >> n;
  cout << n << (cin.tie() == &cout) << endl;
}
