#include <iomanip>
#include <iostream>
#include <string>
#include <string_view>

using namespace std;

int main() {
  const char* p = "pointer";
  string s = "string";
  string_view v = "view";
  char a[] = "array";
  const unsigned char* u = reinterpret_cast<const unsigned char*>("unsigned");
  cout << p << s << v << a << u << 'c' << "" << string() << setw(9) << v << left << setw(9) << s << "|" << setw(4)
       << 'x' << "|\n"
       << (void*)nullptr << nullptr << endl;
  string l;
  while (cin >> l) cout << setw(7) << l;
  cout << endl;
}
