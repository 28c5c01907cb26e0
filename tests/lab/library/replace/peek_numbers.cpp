#include <cctype>
#include <cstdio>
#include <iostream>
#include <string>

using namespace std;

int main() {
  string other;
  while (cin.peek() != EOF) {
    if (isdigit(cin.peek())) {
      int n = 0;
      cin >> n;
      cout << '(' << n << cin.fail() << ')';
      if (cin.fail()) {
        cin.clear();
        break;
      }
    } else {
      cout << char(cin.get());
    }
  }
  cout << cin.gcount() << endl;
}
