#include <iostream>
#include <sstream>
#include <string>

using namespace std;

template <class In, class Out>
void solve(In& in, Out& out) {
  int n = 0;
  string w;
  while (in >> n >> w) out << n << ':' << w << endl;
}
int main() {
  solve(cin, cout);
  istringstream s("1 a 2 b");
  solve(s, cout);
  ostringstream o;
  solve(cin, o);
  cout << o.str() << endl;
}
