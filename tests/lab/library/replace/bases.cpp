#include <iostream>

using namespace std;

int main() {
  int x;
  while (cin >> x)
    cout << hex << x << ' ' << oct << x << ' ' << dec << x << ' ' << showbase << hex << uppercase << x << dec
         << noshowbase << nouppercase << endl;
}
