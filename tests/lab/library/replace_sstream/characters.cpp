#include <iostream>
#include <sstream>
#include <string>

using namespace std;

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
