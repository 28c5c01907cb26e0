#include <iostream>
#include <string>

using namespace std;

int main() {
  string first;
  cin >> first;
  const auto after_first = cin.tellg();
  int words = 1;
  string word;
  while (cin >> word) ++words;
  cin.clear();
  cin.seekg(after_first);
  cout << after_first << ' ' << cin.tellg() << ' ' << words << cin.good() << '\n';
  while (cin >> word) --words;
  const auto here = cout.tellp();
  cout << words << "....\n";
  if (here >= 0) {
    cout.seekp(here);
    cout << "over";
    cout << cout.tellp() << '\n';
  }
  cout.clear();
  cout << "end" << cout.tellp() << '\n';
}
