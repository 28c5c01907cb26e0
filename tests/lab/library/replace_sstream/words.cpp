#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

using namespace std;

int main() {
  string line;
  map<string, int> counts;
  while (getline(cin, line)) {
    stringstream from;
    from << line;
    string word;
    while (from >> word) {
      transform(word.begin(), word.end(), word.begin(), ::tolower);
      ++counts[word.substr(0, 60)];
    }
  }
  ostringstream report;
  for (const auto& [word, count] : counts) report << word << ": " << count << '\n';
  cout << report.str();
}
