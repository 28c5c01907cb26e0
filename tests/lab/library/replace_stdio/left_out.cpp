#include <cstdio>

using namespace std;

int main() {
  int a = -1, b = -1;
  char word[20] = "";
  int got = scanf("%*d %d %*s %19s %*[ 0-9]%d", &a, word, &b);
  printf("%d %d %s %d\n", got, a, word, b);
  got = scanf("%*d%*d%*d");
  printf("%d\n", got);
  got = scanf("%*lf");
  printf("%d %d\n", got, getchar());
}
