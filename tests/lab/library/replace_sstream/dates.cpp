#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

using namespace std;

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
