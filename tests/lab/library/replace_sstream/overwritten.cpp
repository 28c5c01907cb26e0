#include <iostream>
#include <sstream>
#include <string>

using namespace std;

// What is written over text leaves the text after it.
int main() {
  const string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  ostringstream begun(letters + letters);
  begun << 1;
  cout << begun.str() << '\n';
  begun << -23 << 4567890123u << "text" << 0.5 << 'c' << 1e-17;
  cout << begun.str() << '\n';
  begun.seekp(10);
  begun << 99LL;
  cout << begun.str() << '\n';
  stringstream both;
  both << letters << 5 << letters;
  both.seekp(3);
  both << short(-32768) << ' ' << 18446744073709551615u;
  string word;
  unsigned long long number = 0;
  both >> word >> number;
  cout << both.str() << '\n' << word << '\n' << number << '\n';
  both.clear();
  both.seekp(letters.size());
  both << 1 << 23 << 456;
  cout << both.str() << '\n';
}
