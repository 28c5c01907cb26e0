#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char* spool = "spool.txt";

static void spool_add(const char* who, int pages) {
  FILE* f = fopen(spool, "a");
  if (!f) {
    perror(spool);
    exit(1);
  }
  fprintf(f, "%s %d\n", who, pages);
  fclose(f);
}

static long spool_total(void) {
  char who[32];
  int p;
  long t = 0;
  FILE* f = fopen(spool, "r");
  if (!f) return -1;
  while (fscanf(f, "%31s %d", who, &p) == 2) t += p;
  fclose(f);
  return t;
}

int main(void) {
  int i;
  unlink(spool);
  for (i = 0; i < 45000; i++) spool_add(i % 3 ? "anna" : "bert", i % 17);
  printf("%ld pages\n", spool_total());
  unlink(spool);
  return 0;
}
