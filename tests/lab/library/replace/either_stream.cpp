#include <iostream>
#include <sstream>
#include <string>

using namespace std;

int main() {
  istringstream held("9 8 x");
  for (istream* in : {static_cast<istream*>(&held), static_cast<istream*>(&cin)}) {
    int n = 0;
    while (*in >> n) cout << n << ' ';
    in->clear();
    string w;
    *in >> w;
    cout << w << endl;
  }
}
