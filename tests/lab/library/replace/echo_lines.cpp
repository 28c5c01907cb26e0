#include <iostream>
#include <string>

using namespace std;

int main() {
  string l;
  int n = 0;
  while (getline(cin, l)) cout << ++n << ": " << l << '\n';
  cout << cin.eof() << cin.fail() << endl;
}
