#include <iostream>
#include <locale>
#include <string>

using namespace std;

struct dots : numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  string do_grouping() const override { return "\3"; }
};
int main() {
  cout.imbue(locale(locale::classic(), new dots));
  int n = 0;
  while (cin >> n) cout << n << ' ';
  cout.imbue(locale::classic());
  cout << 1234567 << endl;
  cin.clear();
}
