#include <iostream>
#include <sstream>
#include <string>

using namespace std;

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
