#include <cstdio>
#include <iostream>

using namespace std;

int main() {
  int n = 0;
  while (cin >> n) {
    cout << n << ' ';
    printf("%d ", n);
    std::printf("%s\n", "x");
    cout << 1.5 << endl;
    putchar('.');
    fflush(stdout);
  }
  int c;
  while ((c = getchar()) != EOF) putchar(c);
}
