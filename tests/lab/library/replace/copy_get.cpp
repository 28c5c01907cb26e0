#include <iostream>

using namespace std;

int main() {
  char c;
  long n = 0;
  while (cin.get(c)) {
    cout << c;
    ++n;
  }
  cout << n << cin.gcount() << endl;
}
