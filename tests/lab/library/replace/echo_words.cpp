#include <iostream>
#include <string>

using namespace std;

int main() {
  string w;
  while (cin >> w) cout << w << endl;
  cout << w.size() << "!\n";
}
