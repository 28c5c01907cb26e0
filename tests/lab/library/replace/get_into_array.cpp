#include <cstdio>
#include <iostream>

using namespace std;

int main() {
  char l[10];
  for (int i = 0; i < 50 && cin; ++i) {
    cin.get(l, sizeof l);
    cout << l << '/' << cin.gcount() << '\n';
    cin.clear();
    if (cin.get() == EOF) break;
  }
}
