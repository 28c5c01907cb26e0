#include <cstdio>

using namespace std;

int main() {
  int c;
  while ((c = getchar()) != EOF) putchar(c);
}
