#include <iostream>
#include <string>

using namespace std;

int main() {
  char l[10];
  for (int i = 0; i < 50; ++i) {
    cin.getline(l, sizeof l);
    cout << l << '/' << cin.gcount() << cin.fail() << '\n';
    if (cin.eof()) break;
    cin.clear();
  }
}
