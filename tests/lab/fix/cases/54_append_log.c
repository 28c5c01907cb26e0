#include <stdio.h>
#include <stdlib.h>

static FILE* lf;

static void finish(int code) {
  fprintf(lf, "end of run, code %d\n", code);
  fclose(lf);
  exit(code);
}

static void note(int i, const char* what) {
  fprintf(lf, "%07d %s\n", i, what);
  fflush(lf);
}

int main(void) {
  static const char* states[] = {"idle", "busy", "blocked", "stopped"};
  int i;
  unsigned s = 3;
  lf = fopen("run.log", "a"); /* the log goes on from run to run */
  if (!lf) {
    perror("run.log");
    return 2;
  }
  for (i = 0;; i++) {
    s = s * 22695477u + 1u;
    note(i, states[s >> 30]);
    if (i == 250000) finish(0);
  }
}
