// causes: unbuffered stdio; input: nothing; flags: -O2
#include <cstdio>

using namespace std;

int main() {
  setlinebuf(stdout);
  for (int i = 0; i < 300000; ++i) printf("%d\n", i);
}
