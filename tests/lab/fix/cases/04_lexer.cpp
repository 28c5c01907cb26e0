#include <cctype>
#include <iostream>
#include <string>
using namespace std;

class Lexer {
  istream& in;

 public:
  explicit Lexer(istream& s) : in(s) {}

  bool next(string& tok) {
    tok.clear();
    while (in.peek() != EOF && isspace(in.peek())) in.get();
    while (in.peek() != EOF && !isspace(in.peek())) tok += static_cast<char>(in.get());
    return !tok.empty();
  }
};

int main() {
  ios::sync_with_stdio(false);
  cin.tie(nullptr);
  Lexer lex(cin);
  string t;
  int shortOnes = 0, longOnes = 0;
  while (lex.next(t)) {
    if (t.size() < 4) shortOnes++;
    else longOnes++;
  }
  cout << shortOnes << " short, " << longOnes << " long\n";
}
