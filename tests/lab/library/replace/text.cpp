#include <cstddef>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

using namespace std;

// ---- c_getline
int main() {
  char l[10];
  for (int i = 0; i < 50; ++i) {
    cin.getline(l, sizeof l);
    cout << l << '/' << cin.gcount() << cin.fail() << '\n';
    if (cin.eof()) break;
    cin.clear();
  }
}

// ---- char_arrays
int main() {
  char w[8];
  while (cin >> setw(8) >> w) cout << w << '|';
  cout << endl;
}

// ---- characters
int main() {
  signed char a;
  unsigned char b;
  char c;
  while (cin >> a >> b >> c) cout << a << b << c << setw(3) << c << '.';
  cout << endl;
}

// ---- copy_get
int main() {
  char c;
  long n = 0;
  while (cin.get(c)) {
    cout << c;
    ++n;
  }
  cout << n << cin.gcount() << endl;
}

// ---- copy_int_get
int main() {
  int c;
  while ((c = cin.get()) != EOF) cout.put(static_cast<char>(c));
  cout << cin.gcount() << '\n';
}

// ---- copy_noskipws
int main() {
  char c;
  cin >> noskipws;
  while (cin >> c) cout << c;
}

// ---- count_characters
int main() {
  map<char, int> m;
  char c;
  while (cin >> c) ++m[c];
  for (auto [k, n] : m) cout << k << '=' << n << ' ';
  cout << endl;
}

// ---- counts_of_a_helper
void read_some(std::istream& from) {
  char bytes[8];
  from.read(bytes, 3);
}

int main() {
  for (int i = 0; i < 3; ++i) {
    std::cout << std::cin.get();
    std::cout << ' ' << std::cin.gcount() << ' ' << std::cin.peek() << ' ' << std::cin.gcount() << '\n';
#if defined(__GLIBCXX__)
    read_some(std::cin);
    std::cout << std::cin.gcount() << '\n';
#endif
    std::cin.clear();
  }
}

// ---- echo_lines
int main() {
  string l;
  int n = 0;
  while (getline(cin, l)) cout << ++n << ": " << l << '\n';
  cout << cin.eof() << cin.fail() << endl;
}

// ---- echo_words
int main() {
  string w;
  while (cin >> w) cout << w << endl;
  cout << w.size() << "!\n";
}

// ---- get_into_array
int main() {
  char l[10];
  for (int i = 0; i < 50 && cin; ++i) {
    cin.get(l, sizeof l);
    cout << l << '/' << cin.gcount() << '\n';
    cin.clear();
    if (cin.get() == EOF) break;
  }
}

// ---- line_numbers
int main() {
  string l;
  for (int i = 1; getline(cin, l); ++i) {
    istringstream s(l);
    int n, t = 0;
    while (s >> n) t += n;
    cout << setw(4) << setfill('0') << i << setfill(' ') << " " << t << endl;
  }
}

// ---- long_output
int main() {
  int n = 0;
  cin >> n;
  for (int i = 0; i < 30000; ++i) cout << i * 7919 << ' ' << n << (i % 10 ? " " : "\n");
  cout << string(200000, 'x') << endl;
}

// ---- null_pointers
int main() {
  const nullptr_t none = nullptr;
  cout << nullptr << '\n' << setw(12) << none << '|' << NULL << '\n';
  cout << left << setw(9) << nullptr << static_cast<const void*>(nullptr) << endl;
}

// ---- number_then_line
int main() {
  int n = 7;
  string name;
  cin >> n;
  cin.ignore();
  getline(cin, name);
  cout << n << " [" << name << "]\n";
  getline(cin >> ws, name);
  cout << "[" << name << "]" << endl;
}

// ---- read_blocks
int main() {
  char b[7];
  while (cin.read(b, sizeof b) || cin.gcount() > 0) {
    cout.write(b, cin.gcount());
    cout << '|';
  }
  cout << cin.gcount() << endl;
}

// ---- split_on_comma
int main() {
  string f;
  while (getline(cin, f, ',')) cout << '<' << f << '>' << endl;
}

// ---- strings_of_all_kinds
int main() {
  const char* p = "pointer";
  string s = "string";
  string_view v = "view";
  char a[] = "array";
  const unsigned char* u = reinterpret_cast<const unsigned char*>("unsigned");
  cout << p << s << v << a << u << 'c' << "" << string() << setw(9) << v << left << setw(9) << s << "|" << setw(4)
       << 'x' << "|\n"
       << (void*)nullptr << nullptr << endl;
  string l;
  while (cin >> l) cout << setw(7) << l;
  cout << endl;
}

// ---- width_on_input
int main() {
  string w;
  cin.width(3);
  while (cin >> w) {
    cout << w << '|';
    cin.width(3);
  }
  cout << cin.width() << endl;
}

// ---- word_counts
int main() {
  map<string, int> m;
  string w;
  while (cin >> w) ++m[w];
  for (auto& [k, n] : m) cout << left << setw(15) << k << right << setw(5) << n << '\n';
  cout << m.size() << endl;
}
