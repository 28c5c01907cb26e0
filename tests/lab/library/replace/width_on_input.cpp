#include <iostream>
#include <string>

using namespace std;

int main() {
  string w;
  cin.width(3);
  while (cin >> w) {
    cout << w << '|';
    cin.width(3);
  }
  cout << cin.width() << endl;
}
