#include <cstdio>

using namespace std;

int main() {
  int day = 0, month = 0, year = 0;
  for (int i = 0; i < 5; ++i) {
    int got = scanf("%d/%d/%d", &day, &month, &year);
    printf("%d: %04d-%02d-%02d\n", got, year, month, day);
    got = scanf("%d.%d.%d", &day, &month, &year);
    printf("%d: %04d-%02d-%02d\n", got, year, month, day);
    int c = getchar();
    printf("then %d\n", c);
  }
}
