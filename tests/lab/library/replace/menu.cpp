#include <iomanip>
#include <iostream>
#include <string>

using namespace std;

int main() {
  int choice = -1;
  double balance = 100;
  while (true) {
    cout << "1 deposit, 2 withdraw, 0 leave: ";
    if (!(cin >> choice)) {
      cout << "\nno choice\n";
      break;
    }
    if (choice == 0) break;
    double x;
    cout << "How much? ";
    if (!(cin >> x)) {
      cin.clear();
      string junk;
      cin >> junk;
      cout << "not " << junk << endl;
      continue;
    }
    balance += choice == 1 ? x : -x;
    cout << "Balance: " << fixed << setprecision(2) << balance << endl;
  }
  cout << "Bye" << endl;
}
