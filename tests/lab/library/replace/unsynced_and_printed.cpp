#include <cstdio>
#include <iostream>

using namespace std;

int main() {
  ios::sync_with_stdio(false);
  int n = 0;
  while (cin >> n) printf("%d\n", n);
  fprintf(stdout, "end\n");
}
