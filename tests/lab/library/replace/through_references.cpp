#include <iomanip>
#include <iostream>
#include <string>

using namespace std;

void solve(istream& in, ostream& out) {
  int n = 0;
  string w;
  while (in >> n >> w) out << setw(6) << n << ':' << w << endl;
  out << in.eof() << '\n';
}
int main() {
  solve(cin, cout);
  cout << "main" << endl;
}
