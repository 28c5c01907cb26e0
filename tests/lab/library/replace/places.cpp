#include <iostream>
#include <string>

using namespace std;

int main() {
  string line;
  long long sum = 0;
  int lines = 0;
  while (getline(cin, line)) {
    sum += cin.tellg();
    ++lines;
    cout << line.size() << ' ' << cin.tellg() << ' ';
    sum += cout.tellp();
    cout << cout.tellp() << '\n';
    if (lines % 3 == 0) cout << flush;
    sum += cout.tellp();
  }
  cin.clear();
  cout << sum << ' ' << cin.tellg() << '\n';
  cin.seekg(0);
  cout << cin.tellg() << cin.good();
  cin.clear();
  string word;
  cin >> word;
  cout << word.substr(0, 20) << ' ' << cin.tellg() << '\n';
  cin.clear();
  cin.seekg(2, ios::beg);
  cin.ignore(3);
  cout << cin.tellg() << cin.rdstate() << '\n';
  cout << string(100000, 'x') << cout.tellp() << '\n';
  for (int i = 0; i < 20000; ++i) cout << i << (i % 100 == 0 ? "\n" : " ");
  cout << cout.tellp() << endl << cout.tellp() << '\n';
}
