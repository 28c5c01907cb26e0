#include <iostream>

using namespace std;

int main() {
  char c;
  for (int i = 0; i < 40 && cin.get(c); ++i) {
    if (i % 3 == 0 && i % 2 == 0) {
      cin.unget();
      cin.get(c);
      cout << c << c;
    } else if (i % 5 == 0) {
      cin.putback(c);
      cout << char(cin.peek());
      cin.get(c);
    } else cout << c;
  }
  cout << cin.eof() << endl;
}
