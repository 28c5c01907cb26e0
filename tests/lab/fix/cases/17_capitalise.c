#include <ctype.h>
#include <stdio.h>

static int peek(void) {
  int c = getchar();
  if (c != EOF) ungetc(c, stdin);
  return c;
}

/* capitalise the first letter of each word, collapse double letters */
int main(void) {
  int c, prev = ' ';
  while ((c = getchar()) != EOF) {
    if (isalpha(c) && c == peek()) {
      prev = c;
      continue;
    }
    if (isspace(prev)) c = toupper(c);
    putchar(c);
    prev = c;
  }
  return 0;
}
