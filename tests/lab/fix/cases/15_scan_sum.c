#include <stdio.h>

#define N 400000

static int a[N];

int main(void) {
  int n = 0, i;
  long long sum = 0;
  while (n < N && scanf("%d", &a[n]) == 1) n++;
  for (i = 0; i < n; i++) {
    sum += a[i];
    printf("%d %lld\n", a[i], sum);
  }
  return 0;
}
