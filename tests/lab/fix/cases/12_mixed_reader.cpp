#include <cstdio>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

// reads all tokens with cin, prints with printf
static bool nextToken(string& t) { return static_cast<bool>(cin >> t); }

int main() {
  vector<int> byLength(64, 0);
  string tok;
  long total = 0;
  while (nextToken(tok)) {
    byLength[min<size_t>(tok.size(), 63)]++;
    total++;
  }
  for (int i = 0; i < 64; i++)
    if (byLength[i]) printf("%2d letters: %d\n", i, byLength[i]);
  printf("total %ld\n", total);
}
