#include <iostream>

using namespace std;

int main() {
  char b[7];
  while (cin.read(b, sizeof b) || cin.gcount() > 0) {
    cout.write(b, cin.gcount());
    cout << '|';
  }
  cout << cin.gcount() << endl;
}
