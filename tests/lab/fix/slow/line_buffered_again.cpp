// causes: unbuffered stdio; input: nothing; flags: -O2
#include <cstdio>

using namespace std;

int main() {
  setvbuf(stdout, nullptr, _IOLBF, 1024);
  for (int i = 0; i < 300000; ++i) puts("some text");
}
