#include <iostream>

using namespace std;

int main() {
  for (int t = 0; t < 8; ++t) {
    int n = 77;
    cin >> n;
    cout << n << ' ';
    if (!cin && !cin.eof()) {
      cin.clear();
      cin >> ws;
    }
  }
  cout << endl;
}
