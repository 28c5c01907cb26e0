#include <cstdio>
#include <cctype>

using namespace std;

int main() {
  int counts[26] = {}, c;
  while ((c = getchar()) != EOF) {
    if (isalpha(c) && c < 128) ++counts[tolower(c) - 'a'];
  }
  for (int i = 0; i < 26; ++i) {
    if (counts[i]) printf("%c %*d %s\n", 'a' + i, 4, counts[i], counts[i] > 9 ? "many" : "few");
  }
}
