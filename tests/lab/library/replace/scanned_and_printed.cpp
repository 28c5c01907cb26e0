#include <cstdio>
#include <iostream>

using namespace std;

int main() {
  int n = 0;
  cout << "How many? ";
  while (scanf("%d", &n) == 1) {
    cout << n << ' ';
    printf("(%d)\n", n * 2);
  }
  cout << "done" << endl;
  puts("really");
}
