#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <iostream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace std;

// ---- aborts
int main() {
  for (int i = 0; i < 5000; ++i) printf("%d\n", i);
  fflush(stdout);
  for (int i = 0; i < 5000; ++i) printf("%d again\n", i);
  abort();
}

// ---- both_kinds
int main() {
  int x = 0;
  string word;
  cout << "How many? ";
  while (scanf("%d", &x) == 1) {
    cout << x << ' ';
    printf("(%d)", x * 2);
    cin >> word;
    cout << word << endl;
    puts("next");
  }
  cout << cin.eof() << feof(stdin) << '\n';
}

// ---- forks
int main() {
  for (int i = 0; i < 300; ++i) printf("%d\n", i);
  fflush(stdout);
  if (fork() == 0) {
    printf("child\n");
    fflush(stdout);
    _exit(0);
  }
  wait(nullptr);
  printf("parent\n");
  system("echo shell");
  printf("end\n");
}

// ---- full_device
int main() {
  if (freopen("/dev/full", "w", stdout) == nullptr) return 1;
  int failed = 0, done = 0;
  for (int i = 0; i < 3000; ++i) {
    (printf("%d\n", i) < 0 ? failed : done)++;
    (puts("line") < 0 ? failed : done)++;
    (putchar('x') < 0 ? failed : done)++;
  }
  fprintf(stderr, "%d %d %d\n", failed, done, ferror(stdout) != 0);
}

// ---- leaves_early
int main() {
  for (int i = 0; i < 1000; ++i) {
    printf("%d\n", i);
    if (i == 700) exit(3);
  }
}

// ---- other_files
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

// ---- places
int main() {
  int x = 0;
  for (int i = 0; i < 3 && scanf("%d", &x) == 1; ++i) printf("%d at %ld\n", x, ftell(stdin));
  if (fseek(stdin, 2, SEEK_SET) == 0) printf("%d\n", getchar());
  printf("%d\n", scanf("%d", &x));
  rewind(stdin);
  clearerr(stdin);
  printf("%d %d\n", scanf("%d", &x), x);
  fprintf(stderr, "%ld\n", ftell(stdout) < 0 ? -1 : ftell(stdout));
}

// ---- two_threads
int main() {
  int x = 0;
  scanf("%d", &x);
  printf("before %d\n", x);
  thread other([&] {
    for (int i = 0; i < 1000; ++i) printf("%d from the other\n", i);
    scanf("%d", &x);
  });
  other.join();
  scanf("%d", &x);
  printf("after %d\n", x);
}

// ---- unbuffered
int main() {
  setvbuf(stdout, nullptr, _IONBF, 0);
  setbuf(stdin, nullptr);
  int x;
  while (scanf("%d", &x) == 1) {
    printf("%d %s\n", x, "here");
    putchar('.');
    puts("line");
  }
  printf("%d\n", getchar());
}

// ---- wide_stream
int main() {
  int a = fwide(stdout, 1) > 0;
  int b = printf("%d\n", 5);
  wprintf(L"%d %d wide\n", a, b);
  fprintf(stderr, "%d %d\n", a, b);
  wint_t c = getwc(stdin);
  int x = -1;
  int got = scanf("%d", &x);
  fprintf(stderr, "%d %d %d\n", static_cast<int>(c), got, x);
}
