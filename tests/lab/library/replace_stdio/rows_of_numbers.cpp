#include <cstdio>

using namespace std;

int main() {
  double total = 0;
  int id, rows = 0;
  char name[40];
  double price;
  while (scanf("%d , %39[^,] , %lf", &id, name, &price) == 3) {
    printf("%-4d|%-20s|%9.2f\n", id, name, price);
    total += price;
    ++rows;
  }
  printf("%d rows, %.2f\n", rows, total);
}
