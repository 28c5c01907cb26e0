#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writer {
  FILE* f;
  long lines;
};

static void wr_line(struct writer* w, const char* key, long v) {
  fprintf(w->f, "%s=%ld\n", key, v);
  fflush(w->f);
  w->lines++;
}

int main(void) {
  struct writer w;
  char key[32];
  long i;
  w.lines = 0;
  w.f = fopen("state.txt", "w");
  if (!w.f) return 1;
  for (i = 0; i < 200000; i++) {
    snprintf(key, sizeof key, "k%ld", i % 1000);
    wr_line(&w, key, i * i % 7919);
  }
  printf("%ld lines\n", w.lines);
  fflush(stdout);
  raise(SIGTERM); /* the supervisor expects it */
  return 0;
}
