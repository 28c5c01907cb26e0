#include <cstdio>

using namespace std;

int main() {
  const int values[] = {0, 7, -7, 12345, -12345, 2147483647, -2147483647 - 1};
  for (int x : values) {
    printf("%d|%5d|%-5d|%05d|%-05d|%+d|% d|%+5d|%3d|%20d|%.3d|%8.3d|%*d|%-*d|%i\n", x, x, x, x, x, x, x, x, x, x, x, x,
           6, x, 6, x, x);
    printf("%u|%12u|%012u|%x|%#o|%.0d|%'d\n", x, x, x, x, x, x, x);
    printf("%c|%3c|%-3c|%%|%5s|%-5s|%.2s|%10.3s|%s\n", 'x', 'y', 'z', "ab", "ab", "abc", "abcdef", "");
  }
}
