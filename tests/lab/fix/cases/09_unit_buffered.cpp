#include <iomanip>
#include <iostream>
#include <string>
using namespace std;

void setup() {
  ios::sync_with_stdio(false);
  cin.tie(nullptr);
  cout << unitbuf;  // so that the output shows up at once
}

int vowels(const string& s) {
  int n = 0;
  for (char c : s)
    if (string("aeiou").find(c) != string::npos) n++;
  return n;
}

int main() {
  setup();
  string w;
  int line = 0;
  while (line < 90000 && cin >> w) {
    cout << setw(7) << ++line << ' ' << vowels(w) << '\n';
  }
}
