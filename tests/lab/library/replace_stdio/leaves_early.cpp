#include <cstdio>
#include <cstdlib>

using namespace std;

int main() {
  for (int i = 0; i < 1000; ++i) {
    printf("%d\n", i);
    if (i == 700) exit(3);
  }
}
