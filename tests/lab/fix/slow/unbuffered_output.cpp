// causes: unbuffered stdio; input: nothing; flags: -O2
#include <cstdio>

using namespace std;

int main() {
  setvbuf(stdout, NULL, _IONBF, 0);
  for (int i = 0; i < 200000; ++i) printf("%d\n", i);
}
