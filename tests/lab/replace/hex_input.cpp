#include <iostream>

using namespace std;

int main() {
  unsigned x;
  cin >> hex;
  while (cin >> x) cout << x << ' ';
  cin.clear();
  cin >> dec >> x;
  cout << x << cin.fail() << endl;
}
