#include <iostream>
#include <string>

using namespace std;

struct modular {
  int v;
  operator int() const { return v; }
  friend ostream& operator<<(ostream& o, const modular& m) { return o << m.v << "m"; }
};
struct only_converts {
  operator double() const { return 2.5; }
};
struct named {
  operator string() const { return "never"; }
  friend ostream& operator<<(ostream& o, const named&) { return o << "named"; }
};
enum colour { red, green };
enum class shade : char { dark = 'd' };
int main() {
  cout << modular{5} << ' ' << only_converts{} << ' ' << named{} << ' ' << green << ' '
       << static_cast<char>(shade::dark) << endl;
  int n = 0;
  cin >> n;
  cout << modular{n} << endl;
}
