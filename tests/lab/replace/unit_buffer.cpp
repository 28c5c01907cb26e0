#include <iostream>

using namespace std;

int main() {
  int n;
  cout << unitbuf;
  while (cin >> n) cout << n << '\n';
  cout << nounitbuf << "x" << endl << flush << ends;
}
