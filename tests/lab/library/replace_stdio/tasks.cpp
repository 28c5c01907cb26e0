#include <cstdio>
#include <vector>

using namespace std;

// ---- calculator
int main() {
  int a = 0, b = 0;
  char operation = '?';
  int got;
  while ((got = scanf("%d %c %d", &a, &operation, &b)) == 3) {
    switch (operation) {
      case '+':
        printf("%d\n", a + b);
        break;
      case '-':
        printf("%d\n", a - b);
        break;
      case '/':
        b == 0 ? printf("no\n") : printf("%.4f\n", a * 1.0 / b);
        break;
      default:
        printf("what is '%c'?\n", operation);
    }
  }
  printf("%d\n", got);
}

// ---- dates
int main() {
  int day = 0, month = 0, year = 0;
  for (int i = 0; i < 5; ++i) {
    int got = scanf("%d/%d/%d", &day, &month, &year);
    printf("%d: %04d-%02d-%02d\n", got, year, month, day);
    got = scanf("%d.%d.%d", &day, &month, &year);
    printf("%d: %04d-%02d-%02d\n", got, year, month, day);
    int c = getchar();
    printf("then %d\n", c);
  }
}

// ---- graph
int main() {
  int n = 0, m = 0;
  if (scanf("%d %d", &n, &m) != 2) return 0;
  vector<vector<int>> next(101);
  for (int i = 0; i < m && i < 1000; ++i) {
    int a, b;
    if (scanf("%d%d", &a, &b) != 2) break;
    if (a >= 0 && a <= 100) next[static_cast<size_t>(a)].push_back(b);
  }
  for (size_t i = 0; i < next.size(); ++i) {
    if (next[i].empty()) continue;
    printf("%zu:", i);
    for (int to : next[i]) printf(" %d", to);
    printf("\n");
  }
}

// ---- matrix
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

// ---- menu
int main() {
  int choice = -1;
  double balance = 100;
  for (int i = 0; i < 20; ++i) {
    printf("1 deposit, 2 withdraw, 0 leave: ");
    fflush(stdout);
    if (scanf("%d", &choice) != 1) {
      printf("\nno choice\n");
      break;
    }
    if (choice == 0) break;
    double x;
    printf("How much? ");
    fflush(stdout);
    if (scanf("%lf", &x) != 1) {
      char junk[64];
      if (scanf("%63s", junk) == 1) printf("not %s\n", junk);
      continue;
    }
    balance += choice == 1 ? x : -x;
    printf("Balance: %.2f\n", balance);
  }
  puts("Bye");
}

// ---- sum
int main() {
  long long sum = 0;
  int x, count = 0;
  while (scanf("%d", &x) == 1) {
    sum += x;
    ++count;
  }
  printf("%d numbers, sum %lld\n", count, sum);
}
