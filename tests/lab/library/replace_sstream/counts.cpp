#include <iostream>
#include <sstream>
#include <string>

using namespace std;

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
