#include <cstdio>
#include <cstring>
#include <map>
#include <string>
using namespace std;

int main() {
  // interactive judge: no read-ahead wanted
  setbuf(stdin, NULL);
  char word[128];
  map<char, int> first;
  int n = 0;
  while (n < 60000 && fgets(word, sizeof word, stdin)) {
    word[strcspn(word, "\n")] = 0;
    first[word[0]]++;
    n++;
  }
  for (auto& p : first) printf("%c %d\n", p.first, p.second);
  printf("%d\n", n);
}
