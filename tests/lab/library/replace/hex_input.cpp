#include <iostream>

using namespace std;

int main() {
  unsigned x = 3;
  cin >> hex;
  while (cin >> x) cout << x << ' ';
  cin.clear();
  cin >> dec >> x;
  cout << x << cin.fail() << endl;
}
