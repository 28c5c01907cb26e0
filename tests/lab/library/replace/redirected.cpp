#include <iostream>
#include <sstream>
#include <string>

using namespace std;

int main() {
  stringstream s;
  streambuf* old = cout.rdbuf(s.rdbuf());
  int n = 0;
  while (cin >> n) cout << n << ',' << endl;
  cout.rdbuf(old);
  cout << s.str().size() << s.str() << endl;
  stringstream t("5 6");
  old = cin.rdbuf(t.rdbuf());
  cin.clear();
  while (cin >> n) cout << n;
  cin.rdbuf(old);
  cout << endl;
}
