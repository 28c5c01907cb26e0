#include <cstdio>

using namespace std;

int main() {
  long long sum = 0;
  int x, count = 0;
  while (scanf("%d", &x) == 1) {
    sum += x;
    ++count;
  }
  printf("%d numbers, sum %lld\n", count, sum);
}
