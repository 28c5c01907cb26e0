#include <iostream>
#include <limits>

using namespace std;

int main() {
  int n = 0;
  for (int t = 0; t < 20; ++t) {
    cout << "A number: ";
    if (cin >> n) {
      cout << "got " << n << "\n";
      continue;
    }
    if (cin.eof()) {
      cout << "eof\n";
      break;
    }
    cin.clear();
    cin.ignore(numeric_limits<streamsize>::max(), '\n');
    cout << "again\n";
  }
}
