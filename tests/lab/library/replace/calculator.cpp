#include <iostream>

using namespace std;

int main() {
  double a, b;
  char op;
  while (cin >> a >> op >> b) {
    cout << a << op << b << " = ";
    switch (op) {
      case '+':
        cout << a + b;
        break;
      case '-':
        cout << a - b;
        break;
      case '*':
        cout << a * b;
        break;
      default:
        cout << "?";
    }
    cout << endl;
  }
  cout << "done" << endl;
}
