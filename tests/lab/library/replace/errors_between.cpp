#include <iostream>

using namespace std;

int main() {
  int n = 0;
  while (cin >> n) {
    cout << n << '\n';
    if (n < 0) cerr << "negative " << n << endl;
  }
  clog << "log" << endl;
  cout << "end\n";
}
