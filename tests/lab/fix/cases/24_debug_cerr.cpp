#include <iostream>
#include <vector>
using namespace std;

#define DBG(x) cerr << "[debug] " << #x << " = " << (x) << '\n'

int main() {
  ios::sync_with_stdio(false);
  cin.tie(NULL);
  long long s = 0;
  int x, i = 0;
  vector<int> peaks;
  while (cin >> x) {
    s += x % 1000;
    if (++i % 10 == 0) {
      DBG(s);
      peaks.push_back(s);
    }
  }
  cout << s << " " << peaks.size() << endl;
  return 0;
}
