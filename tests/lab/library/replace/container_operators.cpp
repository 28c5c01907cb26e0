#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <vector>

using namespace std;

template <class T>
ostream& operator<<(ostream& out, const vector<T>& v) {
  for (const auto& x : v) out << x << ' ';
  return out;
}
template <class T>
istream& operator>>(istream& in, vector<T>& v) {
  for (auto& x : v) in >> x;
  return in;
}
int main() {
  int n = 0;
  cin >> n;
  vector<int> v(static_cast<size_t>(min(abs(n), 30)));
  cin >> v;
  cout << v << endl << v.size() << '\n';
}
