#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

using namespace std;

// ---- buffer_taken_away
int main() {
  cout << "before\n";
  stringbuf other;
  cout.rdbuf(&other);
  cout << "into the other";
  cout.rdbuf(nullptr);
  cout << "lost" << endl;
  cin.rdbuf(nullptr);
  int n = 5;
  cin >> n;
  cerr << other.str() << cout.rdstate() << cin.rdstate() << n << '\n';
}

// ---- container_operators
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

// ---- copy_buffer
int main() {
  cout << cin.rdbuf();
  cout << "end" << endl;
}

// ---- copy_iterators
int main() {
  copy(istreambuf_iterator<char>(cin), istreambuf_iterator<char>(), ostreambuf_iterator<char>(cout));
  cout << "end" << endl;
}

// ---- either_stream
int main() {
  istringstream held("9 8 x");
  for (istream* in : {static_cast<istream*>(&held), static_cast<istream*>(&cin)}) {
    int n = 0;
    while (*in >> n) cout << n << ' ';
    in->clear();
    string w;
    *in >> w;
    cout << w << endl;
  }
}

// ---- ends_in_the_middle
int main() {
  int n = 0;
  while (cin >> n) {
    cout << "value " << n << endl;
    if (n == 3) exit(3);
    if (n == 5) abort();
  }
  cout << "no newline";
}

// ---- errors_between
int main() {
  int n = 0;
  while (cin >> n) {
    cout << n << '\n';
    if (n < 0) cerr << "negative " << n << endl;
  }
  clog << "log" << endl;
  cout << "end\n";
}

// ---- exceptions
int main() {
  cin.exceptions(ios::failbit | ios::badbit);
  int n = 0;
  try {
    while (true) {
      cin >> n;
      cout << n << ' ';
    }
  } catch (const ios_base::failure&) {
    cout << "failure " << cin.eof() << endl;
  }
}

// ---- global_objects
struct noisy {
  noisy() { cout << "begin\n"; }
  ~noisy() { cout << "end" << endl; }
};
static noisy object;
int main() {
  int n = 0;
  while (cin >> n) cout << n << ' ';
  cout << '\n';
}

// ---- other_locale
struct dots : numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  string do_grouping() const override { return "\3"; }
};
int main() {
  cout.imbue(locale(locale::classic(), new dots));
  int n = 0;
  while (cin >> n) cout << n << ' ';
  cout.imbue(locale::classic());
  cout << 1234567 << endl;
  cin.clear();
}

// ---- point_operators
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

// ---- redirected
int main() {
  stringstream s;
  streambuf* old = cout.rdbuf(s.rdbuf());
  int n = 0;
  while (cin >> n) cout << n << ',' << endl;
  cout.rdbuf(old);
  cout << s.str().size() << s.str() << endl;
  stringstream t("5 6");
  old = cin.rdbuf(t.rdbuf());
  cin.clear();
  while (cin >> n) cout << n;
  cin.rdbuf(old);
  cout << endl;
}

// ---- sorted_iterators
int main() {
  vector<int> v{istream_iterator<int>(cin), istream_iterator<int>()};
  sort(v.begin(), v.end());
  copy(v.begin(), v.end(), ostream_iterator<int>(cout, " "));
  cout << endl;
}

// ---- states
int main() {
  int a = 5;
  for (int i = 0; i < 6; ++i) {
    cin >> a;
    cout << a << cin.good() << cin.eof() << cin.fail() << cin.bad() << bool(cin) << !cin << cin.rdstate() << ' ';
  }
  cin.clear();
  cin.setstate(ios::failbit);
  cin >> a;
  cout << a << endl;
}

// ---- through_references
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

// ---- through_templates
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

// ---- ties
int main() {
  cout << (cin.tie() == &cout);
  ostream* old = cin.tie(nullptr);
  cout << (cin.tie() == nullptr) << (old == &cout);
  cin.tie(&cout);
  int n = 0;
  cin >> n;
  cout << n << (cin.tie() == &cout) << endl;
}

// ---- unit_buffer
int main() {
  int n = 0;
  cout << unitbuf;
  while (cin >> n) cout << n << '\n';
  cout << nounitbuf << "x" << endl << flush << ends;
}
