#include <iomanip>
#include <iostream>

using namespace std;

int main() {
  char w[8];
  while (cin >> setw(8) >> w) cout << w << '|';
  cout << endl;
}
