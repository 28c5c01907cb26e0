#include <iostream>

using namespace std;

int main() {
  char c;
  cin >> noskipws;
  while (cin >> c) cout << c;
}
