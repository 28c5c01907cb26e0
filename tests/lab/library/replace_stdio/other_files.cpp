#include <cstdio>

using namespace std;

int main() {
  FILE* file = tmpfile();
  if (file == nullptr) return 1;
  int x, count = 0;
  while (scanf("%d", &x) == 1) {
    fprintf(file, "%d;%s;%.2f\n", x, "name", x / 4.0);
    ++count;
  }
  for (int i = 0; i < 2000; ++i) fprintf(file, "%d;%s;%.2f\n", i, "more", i / 8.0);
  rewind(file);
  char name[20];
  double part = 0;
  long long sum = 0;
  while (fscanf(file, "%d;%19[^;];%lf", &x, name, &part) == 3) sum += x + name[0] + static_cast<int>(part * 8);
  printf("%d %lld %ld\n", count, sum, ftell(file));
  fseek(file, 3, SEEK_SET);
  char line[30];
  fputs(fgets(line, sizeof line, file) ? line : "none", stdout);
  fprintf(file, "%s", "over");
  fclose(file);
}
