#include <iostream>
#include <sstream>
#include <string>

using namespace std;

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
