#include <cstdio>

using namespace std;

int main() {
  char part[5];
  for (int size = 5; size > -1; --size) {
    for (int i = 0; i < 3; ++i) {
      char* got = fgets(part, size, stdin);
      printf("%d: %s|", size, got ? got : "nothing");
    }
  }
}
