#include <iostream>
#include <regex>
#include <string>
using namespace std;

int main() {
  ios::sync_with_stdio(false);
  cin.tie(nullptr);
  const regex re("([a-f]+)([0-9]*)\\s+([g-m][a-z]*)");
  string line;
  int n = 0, hits = 0;
  size_t len = 0;
  while (n < 60000 && getline(cin, line)) {
    ++n;
    smatch m;
    if (regex_search(line, m, re)) {
      ++hits;
      len += m[3].length();
      if (hits % 2000 == 0) cout << n << ": " << m[1] << " " << m[3] << endl;
    }
  }
  cout << hits << " " << len << endl;
}
