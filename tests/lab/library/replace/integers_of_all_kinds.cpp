#include <climits>
#include <cstdint>
#include <iostream>
#include <vector>

using namespace std;

int main() {
  cout << short(-3) << (unsigned short)65535 << INT_MIN << UINT_MAX << LONG_MIN << ULLONG_MAX << true << size_t(7)
       << int8_t(65) << uint8_t(66) << int64_t(-1) << '\n';
  struct {
    int a : 3;
    unsigned b : 5;
  } f{-2, 9};
  cout << f.a << ' ' << f.b << endl;
  int n = 0;
  cin >> n;
  vector<bool> v(3, n > 3);
  cout << v[1] << endl;
}
