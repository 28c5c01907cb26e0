#include <iostream>

using namespace std;

int main() {
  ios::sync_with_stdio(false);
  cin.unget();
  cout << cin.rdstate() << ' ';
  cin.clear();
  cin.putback('4');
  cout << cin.rdstate() << ' ';
  cin.clear();
  cout << cin.get() << '\n';
}
