#include <iostream>
#include <locale>
#include <sstream>
#include <string>

using namespace std;

struct commas : numpunct<char> {
  char do_thousands_sep() const override { return ','; }
  string do_grouping() const override { return "\3"; }
};

int main() {
  for (int round = 0; round < 3; ++round) {
    {
      ostringstream to;
      to.imbue(locale(locale::classic(), new commas));
      to << 1234567 << ' ' << 2.5;
      cout << to.str() << '\n';
    }
    {
      ostringstream to;
      to << 1234567 << boolalpha << true << hex << 255 << uppercase << 255;
      to.precision(3);
      to.fill('#');
      to.width(8);
      to << 1.0 / 3;
      cout << to.str() << '\n';
    }
    {
      istringstream from("x");
      from.exceptions(ios::failbit);
      int x = 0;
      try {
        from >> x;
        cout << "read\n";
      } catch (const ios::failure&) {
        cout << "failed\n";
      }
    }
    istringstream from("12 x 077 0x1f 1e5 7");
    int a = -1, b = -1, c = -1, d = -1;
    from >> a >> b;
    cout << a << b << from.rdstate();
    from.clear();
    char skipped;
    from >> skipped >> oct >> c >> hex >> d;
    cout << skipped << c << ' ' << d << from.rdstate() << '\n';
    from >> noskipws >> skipped;
    cout << '<' << skipped << '>' << from.rdstate() << '\n';
  }
  locale before = locale::global(locale(locale::classic(), new commas));
  ostringstream grouped;
  grouped << 1234567;
  cout << grouped.str() << '\n';
  istringstream given("1,234,567");
  int value = 0;
  given >> value;
  cout << (value == 1234567) << '\n';
  locale::global(before);
  ostringstream plain;
  plain << 1234567;
  cout << plain.str() << '\n';
}
