#include <iostream>

using namespace std;

int main() {
  int n = 0;
  cout << unitbuf;
  while (cin >> n) cout << n << '\n';
  cout << nounitbuf << "x" << endl << flush << ends;
}
