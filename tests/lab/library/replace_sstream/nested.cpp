#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace std;

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
