#include <iostream>

using namespace std;

int main() {
  int n = 0;
  cin >> n;
  long long s = 0;
  for (int i = 0, x; i < n && cin >> x; ++i) s += x;
  cout << s << endl;
}
