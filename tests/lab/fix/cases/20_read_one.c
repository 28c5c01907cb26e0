#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* returns length of line or -1 at the end */
static int get_line(int fd, char* buf, int cap) {
  int n = 0;
  char c;
  while (read(fd, &c, 1) == 1) {
    if (c == '\n') {
      buf[n] = 0;
      return n;
    }
    if (n < cap - 1) buf[n++] = c;
  }
  buf[n] = 0;
  return n > 0 ? n : -1;
}

int main(void) {
  char line[256], best[256] = "";
  long count = 0;
  while (count < 80000 && get_line(STDIN_FILENO, line, sizeof line) >= 0) {
    count++;
    if (strcmp(line, best) > 0) strcpy(best, line);
  }
  printf("%ld words, last in order: %s\n", count, best);
  return 0;
}
