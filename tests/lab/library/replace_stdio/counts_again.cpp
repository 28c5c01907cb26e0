#include <cstdio>

using namespace std;

int main() {
  char word[100];
  getchar();  // from now on the buffer holds something
  for (int i = 0; i < 8; ++i) {
    int a = 0, at = -1, to = -1;
    const int number = scanf("%d%n", &a, &at);
    const int text = scanf(" %99s%%%n", word, &to);
    printf("%d %d %d %d %d %s\n", number, a, at, text, to, text == 1 ? word : "");
    short after = -1;
    const int both = scanf("%*s %99[0-9]%hn%d", word, &after, &a);
    printf("%d %d %d %s\n", both, after, a, both > 0 ? word : "");
  }
}
