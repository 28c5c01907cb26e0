#include <cstdio>

using namespace std;

// Each byte of the input by itself, and by a set that a range goes on in, or that a minus ends or begins.
int main() {
  char byte[2];
  for (;;) {
    if (scanf("%1[1-3-5]", byte) == 1) {
      printf("1-5:%s", byte);
    } else if (scanf("%1[a-c-]", byte) == 1) {
      printf("a-c:%s", byte);
    } else if (scanf("%1[+--/-:-]", byte) == 1) {
      printf("+-:%s", byte);
    } else if (scanf("%1[^ -~-]", byte) == 1) {
      printf("other:%d", byte[0]);
    } else {
      const int rest = getchar();
      if (rest == EOF) return 0;
      printf("%c", rest);
    }
  }
}
