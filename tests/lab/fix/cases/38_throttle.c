#include <stdio.h>
#include <string.h>
#include <time.h>

/* prints the input slowly, so that the receiver can follow */
static void pause_us(long us) {
  struct timespec ts;
  ts.tv_sec = us / 1000000;
  ts.tv_nsec = (us % 1000000) * 1000;
  nanosleep(&ts, NULL);
}

int main(void) {
  char line[1024];
  long n = 0, bytes = 0;
  while (fgets(line, sizeof line, stdin)) {
    bytes += (long)strlen(line);
    n++;
    if (n % 500 == 0) {
      pause_us(1500);
      printf("%ld %s", n, line);
      fflush(stdout);
    }
  }
  printf("%ld bytes\n", bytes);
  return 0;
}
