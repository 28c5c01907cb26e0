#include <cstdio>

using namespace std;

int main() {
  int a = 0, b = 0;
  char operation = '?';
  int got;
  while ((got = scanf("%d %c %d", &a, &operation, &b)) == 3) {
    switch (operation) {
      case '+':
        printf("%d\n", a + b);
        break;
      case '-':
        printf("%d\n", a - b);
        break;
      case '/':
        b == 0 ? printf("no\n") : printf("%.4f\n", a * 1.0 / b);
        break;
      default:
        printf("what is '%c'?\n", operation);
    }
  }
  printf("%d\n", got);
}
