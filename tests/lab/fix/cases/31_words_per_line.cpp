#include <iostream>
#include <sstream>
#include <string>
using namespace std;

struct LineInfo {
  size_t words = 0, letters = 0;
};

LineInfo inspect(const string& line) {
  LineInfo r;
  stringstream ss(line);
  string p;
  while (ss >> p) {
    r.words++;
    r.letters += p.size();
  }
  return r;
}

int main() {
  ios::sync_with_stdio(false);
  cin.tie(nullptr);
  string line;
  size_t most = 0, total = 0, letters = 0;
  while (getline(cin, line)) {
    LineInfo i = inspect(line);
    total += i.words;
    letters += i.letters;
    if (i.words > most) most = i.words;
  }
  cout << total << " words, at most " << most << " in a line, " << letters << " letters\n";
}
