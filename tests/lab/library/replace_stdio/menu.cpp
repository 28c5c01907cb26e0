#include <cstdio>

using namespace std;

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
