#include <stdio.h>
#include <stdlib.h>

struct point {
  int x, y;
};

static int cmp(const void* p, const void* q) {
  const struct point *a = p, *b = q;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  return (a->y > b->y) - (a->y < b->y);
}

int main(void) {
  enum { N = 90000 };
  struct point* p = malloc(N * sizeof *p);
  unsigned s = 7;
  int i;
  setvbuf(stdout, NULL, _IONBF, 0);
  for (i = 0; i < N; i++) {
    s = s * 1664525u + 1013904223u;
    p[i].x = s >> 24;
    s = s * 1664525u + 1013904223u;
    p[i].y = s >> 20;
  }
  qsort(p, N, sizeof *p, cmp);
  for (i = 0; i < N; i++) {
    printf("%d", p[i].x);
    fputs(" / ", stdout);
    printf("%d\n", p[i].y);
  }
  free(p);
  return 0;
}
