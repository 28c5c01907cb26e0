#include <iomanip>
#include <ios>
#include <iostream>
#include <iterator>
#include <locale>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace std;

// ---- both_ends
int main() {
  stringstream queue;
  int x, sum = 0;
  for (int i = 0; i < 50; ++i) {
    queue << i << ' ';
    if (i % 3 == 0 && queue >> x) sum += x;
  }
  while (queue >> x) sum += x;
  cout << sum << queue.rdstate() << '\n';
  queue.clear();
  queue << "12";
  queue >> x;
  cout << x << queue.eof() << '\n';
  queue.clear();
  queue << "34";
  queue >> x;
  cout << x << queue.eof() << queue.tellg() << queue.tellp() << '\n';
  queue.clear();
  queue.seekg(0);
  queue >> x;
  cout << x << '\n';
  queue.seekp(0);
  queue << "changed";
  cout << queue.str() << '\n';
}

// ---- handed_on
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

// ---- members
static_assert(is_same_v<stringstream::allocator_type, allocator<char>>);

int called = 0;
void count_call(ios_base::event, ios_base&, int) { ++called; }

int main() {
  ostringstream to;
  const int place = ios_base::xalloc();
  to.iword(place) = 7;
  to.pword(place) = &called;
  to.register_callback(count_call, place);
  cout << to.iword(place) << (to.pword(place) == &called) << to.widen('x') << to.narrow('y', '?') << '\n';
  to.tie(&cout);
  cout << (to.tie() == &cout) << '\n';
  {
    ostringstream next;
    cout << next.iword(place) << (next.tie() == nullptr) << '\n';
  }
  ostringstream&& written = std::move(to) << 1 << "two" << 3.5;
  istringstream from("4 five");
  int number = 0;
  string word;
  istringstream&& read = std::move(from) >> number >> word;
  cout << written.str() << number << word << read.eof() << called << '\n';
  cout << (ostringstream() << "short " << 6).str() << '\n';
#if __cplusplus > 201703L
  const allocator<char> usual;
  istringstream made(string("8 9"), usual);
  cout << made.view() << made.str(usual) << '\n';
#endif
}

// ---- modes
int main() {
  ostringstream end("begin", ios::ate);
  end << " end";
  cout << end.str() << '\n';
  ostringstream start("begin");
  start << "END";
  cout << start.str() << '\n';
  stringstream only_in("12 13", stringstream::in);
  int x = 0;
  only_in >> x;
  only_in << "lost";
  cout << x << only_in.rdstate() << only_in.str() << '\n';
  stringstream added("7 ", ios::in | ios::out | ios::app);
  added << 8;
  int y = 0;
  added >> x >> y;
  cout << x << y << added.eof() << '\n';
  stringstream empty;
  empty >> x;
  cout << x << empty.rdstate() << '\n';
  string s = "x";
  if (!(empty >> s)) cout << "nothing" << s << '\n';
  ostringstream written;
  written.write("a\0b", 3).put('c') << 'd' << '\0' << flush;
  cout << written.str().size() << written.good() << '\n';
  const char* none = "text";
  written.str({});
  written << none << static_cast<const void*>(nullptr) << static_cast<signed char>('s');
  cout << written.str() << '\n';
}

// ---- nested
string depth(int left) {
  ostringstream to;
  to << left << '(';
  if (left > 0) to << depth(left - 1);
  to << ')';
  return to.str();
}

int main() {
  cout << depth(20) << '\n';
  vector<ostringstream> many;
  for (int i = 0; i < 20; ++i) {
    many.emplace_back();
    many.back() << i << ' ' << i * i;
  }
  for (ostringstream& one : many) cout << one.str() << '\n';
  ostringstream moved = std::move(many[3]);
  moved << " moved";
  cout << moved.str() << '\n';
  string large(200000, 'x');
  for (int i = 0; i < 3; ++i) {
    stringstream held(large);
    string back;
    held >> back;
    cout << back.size() << held.eof() << '\n';
  }
}

// ---- overwritten
// What is written over text leaves the text after it.
int main() {
  const string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  ostringstream begun(letters + letters);
  begun << 1;
  cout << begun.str() << '\n';
  begun << -23 << 4567890123u << "text" << 0.5 << 'c' << 1e-17;
  cout << begun.str() << '\n';
  begun.seekp(10);
  begun << 99LL;
  cout << begun.str() << '\n';
  stringstream both;
  both << letters << 5 << letters;
  both.seekp(3);
  both << short(-32768) << ' ' << 18446744073709551615u;
  string word;
  unsigned long long number = 0;
  both >> word >> number;
  cout << both.str() << '\n' << word << '\n' << number << '\n';
  both.clear();
  both.seekp(letters.size());
  both << 1 << 23 << 456;
  cout << both.str() << '\n';
}

// ---- pointers_and_buffers
int main() {
  std::stringstream text("0x10 20 the rest");
  void* pointer = nullptr;
  text >> pointer;
  std::cout << pointer << ' ' << text.good() << '\n';
  std::ostringstream copy;
  text >> std::ws >> copy.rdbuf();
  std::cout << copy.str() << '|' << text.rdstate() << '\n';
  text >> pointer;
  std::cout << text.fail() << '\n';
}

// ---- states
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
