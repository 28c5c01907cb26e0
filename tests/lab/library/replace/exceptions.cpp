#include <iostream>

using namespace std;

int main() {
  cin.exceptions(ios::failbit | ios::badbit);
  int n = 0;
  try {
    while (true) {
      cin >> n;
      cout << n << ' ';
    }
  } catch (const ios_base::failure&) {
    cout << "failure " << cin.eof() << endl;
  }
}
