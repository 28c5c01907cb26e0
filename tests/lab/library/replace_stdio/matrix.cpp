#include <cstdio>

using namespace std;

int main() {
  int rows = 0, columns = 0;
  scanf("%d %d", &rows, &columns);
  for (int i = 0; i < rows && i < 50; ++i) {
    for (int j = 0; j < columns && j < 50; ++j) {
      int x = 0;
      scanf("%d", &x);
      printf("%6d", x);
    }
    puts("");
  }
}
