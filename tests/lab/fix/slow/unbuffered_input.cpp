// causes: unbuffered stdio; input: few; flags: -O2
#include <cstdio>

using namespace std;

int main() {
  setbuf(stdin, NULL);
  int c;
  long n = 0;
  while ((c = getchar()) != EOF) n += c;
  printf("%ld\n", n);
}
