// causes: other processes; input: nothing; flags: -O2
#include <cstdio>

using namespace std;

int main() {
  for (int i = 0; i < 60; ++i) {
    FILE* p = popen("echo line", "r");
    char b[80];
    while (fgets(b, sizeof b, p)) fputs(b, stdout);
    pclose(p);
  }
}
