#include <iostream>

using namespace std;

struct point {
  int x, y;
};
istream& operator>>(istream& in, point& p) { return in >> p.x >> p.y; }
ostream& operator<<(ostream& out, const point& p) { return out << '(' << p.x << ", " << p.y << ')'; }
int main() {
  point p{1, 2};
  while (cin >> p) cout << p << ' ' << p.x << endl;
  cout << p << '\n';
}
