#include <climits>
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <random>
#include <string>
#include <vector>

using namespace std;

// ---- any_base_input
int main() {
  int x;
  cin.unsetf(ios::basefield);
  while (cin >> x) cout << x << ' ';
  cout << endl;
}

// ---- bases
int main() {
  int x;
  while (cin >> x)
    cout << hex << x << ' ' << oct << x << ' ' << dec << x << ' ' << showbase << hex << uppercase << x << dec
         << noshowbase << nouppercase << endl;
}

// ---- bools
int main() {
  bool b = true;
  for (int i = 0; i < 8; ++i) {
    cin >> b;
    cout << b << boolalpha << b << noboolalpha << setw(4) << b << cin.fail();
    cin.clear();
  }
  cin >> boolalpha >> b;
  cout << b << cin.fail() << endl;
}

// ---- doubles
int main() {
  double x = 3;
  while (cin >> x) cout << x << ' ';
  cout << cin.fail() << x << '\n';
}

// ---- fixed_precisions
int main() {
  double x;
  while (cin >> x) {
    for (int p : {0, 1, 2, 6, 12, 30}) cout << fixed << setprecision(p) << x / 7 << ' ' << scientific << x / 7 << ' ';
    cout << defaultfloat << x << hexfloat << x << '\n';
  }
}

// ---- floats
int main() {
  float x = 3;
  while (cin >> x) cout << x << ' ' << x / 3 << ' ';
  cout << cin.eof() << x << endl;
}

// ---- hex_input
int main() {
  unsigned x = 3;
  cin >> hex;
  while (cin >> x) cout << x << ' ';
  cin.clear();
  cin >> dec >> x;
  cout << x << cin.fail() << endl;
}

// ---- integers_of_all_kinds
int main() {
  cout << short(-3) << (unsigned short)65535 << INT_MIN << UINT_MAX << LONG_MIN << ULLONG_MAX << true << size_t(7)
       << int8_t(65) << uint8_t(66) << int64_t(-1) << '\n';
  struct {
    int a : 3;
    unsigned b : 5;
  } f{-2, 9};
  cout << f.a << ' ' << f.b << endl;
  int n = 0;
  cin >> n;
  vector<bool> v(3, n > 3);
  cout << v[1] << endl;
}

// ---- internal_fill
int main() {
  int x;
  while (cin >> x) cout << internal << setfill('0') << setw(8) << x << '|' << showpos << x << noshowpos << '\n';
}

// ---- long_doubles
int main() {
  long double x;
  while (cin >> x) cout << x << ' ' << x / 3 << ' ';
  cout << endl;
}

// ---- many_doubles
int main() {
  mt19937 r(7);
  for (int i = 0; i < 3000; ++i) {
    double x = ldexp(double(r()), int(r() % 120) - 90);
    cout << setprecision(1 + int(r() % 15)) << x << ' ' << float(x) << '\n';
  }
}

// ---- members
int main() {
  int n = 0;
  while (cin >> n) {
    cout.width(6);
    cout.fill('*');
    cout << n;
    cout.setf(ios::left, ios::adjustfield);
    cout.width(5);
    cout << n << '|';
    cout.unsetf(ios::left);
    cout.precision(3);
    cout << n / 7.0;
    cout.put('\n');
    cout.write("abc", 2).put('\n');
  }
  cout.flush();
}

// ---- precisions
int main() {
  double x;
  while (cin >> x) {
    for (int p : {0, 1, 3, 6, 10, 15, 17, 20}) cout << setprecision(p) << x << ' ';
    cout << '\n';
  }
}

// ---- saved_flags
int main() {
  double x;
  while (cin >> x) {
    ios::fmtflags f(cout.flags());
    auto p = cout.precision();
    cout << hex << showbase << int(x) << fixed << setprecision(3) << x;
    cout.flags(f);
    cout.precision(p);
    cout << ' ' << x << ' ' << cout.fill() << endl;
  }
}

// ---- shorts_clamp
int main() {
  short x = 3;
  for (int i = 0; i < 12; ++i) {
    cin >> x;
    cout << x << (cin.fail() ? "f" : "-") << (cin.eof() ? "e " : "- ");
    if (cin.fail() && !cin.eof()) {
      cin.clear();
      cin.get();
    }
  }
  cout << endl;
}

// ---- showpoint
int main() {
  double x;
  cout << showpoint;
  while (cin >> x) cout << x << ' ';
  cout << noshowpoint << 2.0 << endl;
}

// ---- table_left
int main() {
  string w;
  double x;
  cout << left << setw(12) << "Name" << right << setw(10) << "Price" << '\n'
       << setfill('-') << setw(22) << "" << setfill(' ') << endl;
  while (cin >> w >> x) cout << left << setw(12) << w << right << setw(10) << fixed << setprecision(2) << x << '\n';
}

// ---- to_the_limit
int main() {
  for (int t = 0; t < 8; ++t) {
    int n = 77;
    cin >> n;
    cout << n << ' ';
    if (!cin && !cin.eof()) {
      cin.clear();
      cin >> ws;
    }
  }
  cout << endl;
}

// ---- tricky_doubles
int main() {
  for (double x : {0.0,  -0.0,  1e5,    123456.5, 999999.5, 9999995.0, 0.0001,   0.00001,   1e-5,     1e15,
                   1e16, 1e300, 5e-324, 0.5,      2.5,      1.0000005, 123.4565, 1234565.0, 100000.0, 1e6})
    cout << x << ' ' << -x << ' ' << x * 3 << ' ' << setw(14) << x << ' ' << setprecision(3) << x << setprecision(6)
         << '\n';
  cout << 1 / 0.0 << ' ' << -1 / 0.0 << ' ' << sqrt(-1.0) << endl;
}

// ---- types
int main() {
  short a = 0;
  unsigned short b = 0;
  long c = 0;
  unsigned long d = 0;
  long long e = 0;
  unsigned long long f = 0;
  cin >> a;
  cout << a << cin.fail();
  cin.clear();
  cin >> b;
  cout << ' ' << b << cin.fail();
  cin.clear();
  cin >> c;
  cout << ' ' << c << cin.fail();
  cin.clear();
  cin >> d;
  cout << ' ' << d << cin.fail();
  cin.clear();
  cin >> e;
  cout << ' ' << e << cin.fail();
  cin.clear();
  cin >> f;
  cout << ' ' << f << cin.fail() << endl;
}

// ---- unsigned_minus
int main() {
  unsigned x = 7;
  while (cin >> x) cout << x << ' ';
  cout << x << cin.fail() << cin.eof() << endl;
}
