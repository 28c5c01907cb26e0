#include <cctype>
#include <cstdio>
#include <iostream>
#include <string>

using namespace std;

void show(const char* what) {
  cout << what << ' ' << cin.rdstate() << ' ';
  cin.clear();
  const int next = cin.get();
  cout << next << ' ' << cin.rdstate() << '\n';
  cin.clear();
}

void put_back() {
  cin.get();
  cin.get();
  cin.seekg(3);
  cin.unget();
  show("seek, unget");
  cin.clear();
  cin.seekg(5);
  cin.peek();
  cin.unget();
  show("seek, peek, unget");
  cin.seekg(4);
  cin.putback('z');
  show("seek, putback");
  show("and what follows");
  cin.seekg(0);
  cin.unget();
  show("at the start");
}

void before_the_first() {
  cin.unget();
  cout << cin.rdstate() << ' ';
  cin.clear();
  cin.putback('4');
  cout << cin.rdstate() << ' ';
  cin.clear();
}

// ---- peek_numbers
int main() {
  string other;
  while (cin.peek() != EOF) {
    if (isdigit(cin.peek())) {
      int n = 0;
      cin >> n;
      cout << '(' << n << cin.fail() << ')';
      if (cin.fail()) {
        cin.clear();
        break;
      }
    } else {
      cout << char(cin.get());
    }
  }
  cout << cin.gcount() << endl;
}

// ---- places
int main() {
  string line;
  long long sum = 0;
  int lines = 0;
  while (getline(cin, line)) {
    sum += cin.tellg();
    ++lines;
    cout << line.size() << ' ' << cin.tellg() << ' ';
    sum += cout.tellp();
    cout << cout.tellp() << '\n';
    if (lines % 3 == 0) cout << flush;
    sum += cout.tellp();
  }
  cin.clear();
  cout << sum << ' ' << cin.tellg() << '\n';
  cin.seekg(0);
  cout << cin.tellg() << cin.good();
  cin.clear();
  string word;
  cin >> word;
  cout << word.substr(0, 20) << ' ' << cin.tellg() << '\n';
  cin.clear();
  cin.seekg(2, ios::beg);
  cin.ignore(3);
  cout << cin.tellg() << cin.rdstate() << '\n';
  cout << string(100000, 'x') << cout.tellp() << '\n';
  for (int i = 0; i < 20000; ++i) cout << i << (i % 100 == 0 ? "\n" : " ");
  cout << cout.tellp() << endl << cout.tellp() << '\n';
}

// ---- places_kept
int main() {
  string first;
  cin >> first;
  const auto after_first = cin.tellg();
  int words = 1;
  string word;
  while (cin >> word) ++words;
  cin.clear();
  cin.seekg(after_first);
  cout << after_first << ' ' << cin.tellg() << ' ' << words << cin.good() << '\n';
  while (cin >> word) --words;
  const auto here = cout.tellp();
  cout << words << "....\n";
  if (here >= 0) {
    cout.seekp(here);
    cout << "over";
    cout << cout.tellp() << '\n';
  }
  cout.clear();
  cout << "end" << cout.tellp() << '\n';
}

// ---- places_put_back
int main() { put_back(); }

// ---- places_put_back_unsynced
int main() {
  ios::sync_with_stdio(false);
  put_back();
}

// ---- put_back_first
int main() {
  before_the_first();
  string word;
  cin >> word;
  cout << word.substr(0, 20) << '\n';
  cin.clear();
  for (const char c : {'c', 'b', 'a'}) cin.putback(c);
  cout << cin.rdstate() << ' ';
  cin.clear();
  cin >> word;
  cout << word.substr(0, 20) << '\n';
}

// ---- put_back_first_unsynced
int main() {
  ios::sync_with_stdio(false);
  before_the_first();
  cout << cin.get() << '\n';
}

// ---- tell
int main() {
  int n = 0;
  while (cin >> n) {
    cout << n << '\n';
    if (cout.tellp() >= 0) cout << "";
  }
  cout << endl;
  cerr << "";
}

// ---- unget_and_putback
int main() {
  char c;
  for (int i = 0; i < 40 && cin.get(c); ++i) {
    if (i % 3 == 0 && i % 2 == 0) {
      cin.unget();
      cin.get(c);
      cout << c << c;
    } else if (i % 5 == 0) {
      cin.putback(c);
      cout << char(cin.peek());
      cin.get(c);
    } else cout << c;
  }
  cout << cin.eof() << endl;
}

// ---- unget_at_the_end
void step_back(const char* what) {
  cout << what << ' ' << cin.rdstate() << ' ' << cin.gcount() << ' ';
  cin.clear();
  cin.unget();
  cout << cin.rdstate() << ' ';
  cin.clear();
  cout << cin.get() << ' ' << cin.rdstate() << '\n';
  cin.clear();
}

int main() {
  while (cin.get() != EOF) {}
  step_back("get");
  while (cin.get() != EOF) {}
  cin.clear();
  cin.putback('q');
  step_back("putback");
  cin.peek();
  step_back("peek");
  char block[100];
  cin.putback('r');
  cin.putback('s');
  cin.read(block, 100);
  step_back("read");
  cin.read(block, 100);
  step_back("read of nothing");
  string word;
  cin >> word;
  step_back("word");
}

// ---- unget_at_the_end_unsynced
int main() {
  ios::sync_with_stdio(false);
  while (cin.get() != EOF) {}
  cin.clear();
  cin.unget();
  cout << cin.rdstate() << ' ';
  cin.clear();
  cout << cin.get() << cin.rdstate() << '\n';
}
