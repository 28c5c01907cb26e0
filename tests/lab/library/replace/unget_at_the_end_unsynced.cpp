#include <iostream>

using namespace std;

int main() {
  ios::sync_with_stdio(false);
  while (cin.get() != EOF) {}
  cin.clear();
  cin.unget();
  cout << cin.rdstate() << ' ';
  cin.clear();
  cout << cin.get() << cin.rdstate() << '\n';
}
