#include <cstdio>

using namespace std;

int main() {
  static char room[100];
  setvbuf(stdout, room, _IOLBF, sizeof room);
  char word[300];
  while (scanf("%299s", word) == 1) {
    printf("%s %5d\n%s", word, 7, word);
    fputs("tail", stdout);
  }
}
