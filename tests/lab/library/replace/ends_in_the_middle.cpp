#include <cstdlib>
#include <iostream>

using namespace std;

int main() {
  int n = 0;
  while (cin >> n) {
    cout << "value " << n << endl;
    if (n == 3) exit(3);
    if (n == 5) abort();
  }
  cout << "no newline";
}
