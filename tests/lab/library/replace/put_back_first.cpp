#include <iostream>
#include <string>

using namespace std;

int main() {
  cin.unget();
  cout << cin.rdstate() << ' ';
  cin.clear();
  cin.putback('4');
  cout << cin.rdstate() << ' ';
  cin.clear();
  string word;
  cin >> word;
  cout << word.substr(0, 20) << '\n';
  cin.clear();
  for (const char c : {'c', 'b', 'a'}) cin.putback(c);
  cout << cin.rdstate() << ' ';
  cin.clear();
  cin >> word;
  cout << word.substr(0, 20) << '\n';
}
