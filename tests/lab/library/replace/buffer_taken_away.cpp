#include <iostream>
#include <sstream>

using namespace std;

int main() {
  cout << "before\n";
  stringbuf other;
  cout.rdbuf(&other);
  cout << "into the other";
  cout.rdbuf(nullptr);
  cout << "lost" << endl;
  cin.rdbuf(nullptr);
  int n = 5;
  cin >> n;
  cerr << other.str() << cout.rdstate() << cin.rdstate() << n << '\n';
}
