#include <stdio.h>
#include <stdlib.h>

/* file with a header which holds the number of rows; kept up to date */
static void put_row(FILE* f, int id, int value, int* count) {
  long end;
  fprintf(f, "%d;%d\n", id, value);
  end = ftell(f);
  ++*count;
  fseek(f, 0, SEEK_SET);
  fprintf(f, "%010d\n", *count);
  fseek(f, end, SEEK_SET);
}

int main(void) {
  int i, count = 0;
  unsigned s = 99;
  FILE* f = fopen("table.txt", "w+");
  if (!f) {
    perror("table.txt");
    return 1;
  }
  fprintf(f, "%010d\n", 0);
  for (i = 0; i < 80000; i++) {
    s = s * 69069u + 1u;
    put_row(f, i, (int)(s >> 12), &count);
  }
  printf("%d rows, %ld bytes\n", count, ftell(f));
  fclose(f);
  return 0;
}
