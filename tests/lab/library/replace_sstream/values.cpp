#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace std;

// ---- all_types
template <class T>
void read_as(const string& token, const char* name) {
  stringstream from(token);
  T value{};
  from >> value;
  cout << name << ' ' << +value << ' ' << from.rdstate() << ' ' << from.tellg() << '\n';
}

int main() {
  string token;
  while (cin >> token) {
    if (token.size() > 200) token.resize(200);
    read_as<short>(token, "short");
    read_as<unsigned short>(token, "unsigned short");
    read_as<int>(token, "int");
    read_as<unsigned>(token, "unsigned");
    read_as<long>(token, "long");
    read_as<unsigned long long>(token, "unsigned long long");
    read_as<float>(token, "float");
    read_as<double>(token, "double");
    read_as<bool>(token, "bool");
    read_as<char>(token, "char");
    read_as<unsigned char>(token, "unsigned char");
  }
}

// ---- characters
int main() {
  string line;
  while (getline(cin, line)) {
    if (line.size() > 100) line.resize(100);
    stringstream from(line);
    char first = '-', c;
    from >> first;
    cout << first << from.peek() << ' ' << from.tellg();
    int digits = 0;
    while (from.get(c)) digits += c >= '0' && c <= '9';
    cout << ' ' << digits << from.rdstate() << ' ' << from.gcount() << '\n';
    istringstream again(line);
    char text[6] = "", rest[20] = "";
    again.width(6);
    again >> text;
    again.ignore(2).getline(rest, 20, 'z');
    cout << text << '|' << rest << '|' << again.rdstate() << '\n';
    istringstream third(line);
    third.ignore(1000, ' ');
    int n = -5;
    third >> n >> ws;
    cout << n << third.rdstate() << (third.peek() == EOF) << '\n';
    third.clear();
    third.unget();
    cout << third.rdstate() << '\n';
  }
}

// ---- counts
// A stream has counted nothing before it was read from, whoever had its buffer before.
int main() {
  for (int i = 0; i < 3; ++i) {
    istringstream in("some words");
    stringstream both("and 17 more");
    cout << in.gcount() << both.gcount();
    char bytes[8] = {};
    in.read(bytes, 3 + i);
    both.ignore(2 + i);
    cout << in.gcount() << both.gcount() << bytes << '\n';
    string word;
    if (getline(in, word) && both >> word) cout << in.gcount() << both.gcount() << word << '\n';
  }
}

// ---- dates
int main() {
  string token;
  while (cin >> token) {
    istringstream from(token.substr(0, 80));
    int day = 0, month = 0, year = 0;
    char first = '?', second = '?';
    from >> day >> first >> month >> second >> year;
    ostringstream to;
    to << setfill('0') << setw(4) << year << '-' << setw(2) << month << '-' << setw(2) << day << first << second;
    cout << to.str() << ' ' << bool(from) << from.eof() << '\n';
    stringstream hexadecimal;
    hexadecimal << hex << day;
    unsigned back = 0;
    hexadecimal >> back;
    cout << hexadecimal.str() << ' ' << back << ' ' << quoted(token.substr(0, 10)) << '\n';
  }
}

// ---- fields
int main() {
  string line;
  while (getline(cin, line)) {
    vector<string> fields;
    string field;
    stringstream from(line);
    while (getline(from, field, ',')) fields.push_back(field);
    cout << fields.size() << from.rdstate();
    for (const string& one : fields) cout << '[' << one.substr(0, 50) << ']';
    cout << '\n';
  }
}

// ---- reuse
int main() {
  stringstream both;
  string word;
  int number = 0;
  while (cin >> word) {
    both.str("");
    both.clear();
    both << word << ' ' << word.size();
    string back;
    both >> back >> number;
    cout << (back == word) << number << both.eof() << both.fail() << '\n';
    both << " more";
    cout << both.str().size() << both.fail() << '\n';
    both = stringstream(word.substr(0, 20));
    both >> number;
    cout << number << both.rdstate() << both.str() << '\n';
  }
}

// ---- sum_of_lines
int main() {
  string line;
  while (getline(cin, line)) {
    istringstream words(line);
    long long sum = 0;
    int x, count = 0;
    while (words >> x) sum += x, ++count;
    cout << count << ' ' << sum << ' ' << words.eof() << words.fail() << words.bad() << ' ' << x << '\n';
  }
}

// ---- text_of_numbers
string text_of(double value) {
  ostringstream to;
  to << value << '|' << fixed << setprecision(2) << value << '|' << scientific << value << '|' << setw(14) << value;
  to << '|' << left << setfill('*') << setw(14) << value << '|' << hexfloat << value;
  return to.str();
}

int main() {
  double value;
  while (cin >> value) {
    cout << text_of(value) << '\n';
    ostringstream again;
    again << value << ' ' << static_cast<float>(value) << ' ' << static_cast<long long>(value > 1e9 ? 1 : 2);
    cout << again.str() << again.tellp() << '\n';
  }
}

// ---- words
int main() {
  string line;
  map<string, int> counts;
  while (getline(cin, line)) {
    stringstream from;
    from << line;
    string word;
    while (from >> word) {
      transform(word.begin(), word.end(), word.begin(), ::tolower);
      ++counts[word.substr(0, 60)];
    }
  }
  ostringstream report;
  for (const auto& [word, count] : counts) report << word << ": " << count << '\n';
  cout << report.str();
}
