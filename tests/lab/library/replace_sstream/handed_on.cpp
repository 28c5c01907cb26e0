#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace std;

struct point {
  int x, y;
};
ostream& operator<<(ostream& to, const point& of) { return to << '(' << of.x << ", " << of.y << ')'; }
istream& operator>>(istream& from, point& of) { return from >> of.x >> of.y; }

template <class T>
ostream& operator<<(ostream& to, const vector<T>& values) {
  for (const T& value : values) to << value << ';';
  return to;
}

void as_hexadecimal(ostream& to, int value) { to << hex << showbase << value << setfill('_'); }
int first_of(istream& from) {
  int value = -1;
  from >> value;
  return value;
}
void refill(stringstream& to) { to << "refilled " << 7; }

enum colour { red, green };
struct limits {
  static const int most = 5;
};

int main() {
  string line;
  while (getline(cin, line)) {
    if (line.size() > 300) line.resize(300);
    istringstream from(line);
    point at{0, 0};
    from >> at;
    ostringstream to;
    to << at << vector<int>{1, 2} << green << limits::most << true << nullptr << "text" << string(2, 'x') << endl;
    as_hexadecimal(to, 255);
    to << 16 << setw(6) << 16;
    cout << to.str() << '\n';
    istringstream again(line);
    cout << first_of(again) << again.rdstate() << '\n';
    istringstream words(line);
    vector<string> all{istream_iterator<string>(words), istream_iterator<string>()};
    cout << all.size() << words.eof() << '\n';
    istringstream characters(line);
    cout << string(istreambuf_iterator<char>(characters), {}).size() << '\n';
    stringstream third;
    refill(third);
    cout << third.str() << '\n';
    int a = 0, b = 0;
    istringstream("3 4") >> a >> b;
    cout << a + b << '\n';
    istringstream whole(line);
    cout << whole.rdbuf() << '\n';
  }
}
