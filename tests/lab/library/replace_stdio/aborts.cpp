#include <cstdio>
#include <cstdlib>

using namespace std;

int main() {
  for (int i = 0; i < 5000; ++i) printf("%d\n", i);
  fflush(stdout);
  for (int i = 0; i < 5000; ++i) printf("%d again\n", i);
  abort();
}
