#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

using namespace std;

int main() {
  string l;
  for (int i = 1; getline(cin, l); ++i) {
    istringstream s(l);
    int n, t = 0;
    while (s >> n) t += n;
    cout << setw(4) << setfill('0') << i << setfill(' ') << " " << t << endl;
  }
}
