#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int journal = -1;

static int commit(const char* op, int key, int val) {
  char rec[80];
  int n = snprintf(rec, sizeof rec, "%s %d %d\n", op, key, val);
  if (write(journal, rec, n) != n) return -1;
  return fsync(journal);
}

int main(void) {
  int table[64], i;
  memset(table, 0, sizeof table);
  journal = open("journal.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (journal < 0) {
    perror("journal.txt");
    return 1;
  }
  for (i = 0; i < 250; i++) {
    int k = (i * 37) % 64;
    table[k] += i;
    if (commit("set", k, table[k]) != 0) {
      perror("commit");
      return 1;
    }
  }
  close(journal);
  printf("%d\n", table[5]);
  return 0;
}
