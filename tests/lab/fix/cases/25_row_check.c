#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int warnings = 0;

static void warn(int line, const char* what, long value) {
  fprintf(stderr, "line %d: %s (%ld)\n", line, what, value);
  warnings++;
}

int main(void) {
  char buf[256];
  int line = 0;
  long total = 0;
  while (fgets(buf, sizeof buf, stdin)) {
    line++;
    char* p = strchr(buf, ',');
    if (!p) {
      warn(line, "no comma", 0);
      continue;
    }
    long qty = strtol(p + 1, NULL, 10);
    total += qty;
    if (qty < 6000) warn(line, "low quantity", qty);
    if (qty % 7 != 0) warn(line, "not a multiple of the lot", qty);
    char* last = strrchr(buf, ',');
    if (atoi(last + 1) < 250) warn(line, "flag below the limit", atoi(last + 1));
  }
  printf("%d rows, total %ld, %d warnings\n", line, total, warnings);
  return 0;
}
