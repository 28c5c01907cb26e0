#include <cstdio>
#include <cstring>

using namespace std;

int main() {
  char word[200], longest[200] = "";
  int count = 0;
  while (scanf("%199s", word) == 1) {
    ++count;
    if (strlen(word) > strlen(longest)) strcpy(longest, word);
    printf("%s|%12s|%-12s|\n", word, word, word);
  }
  printf("%d words, longest %s\n", count, longest);
}
