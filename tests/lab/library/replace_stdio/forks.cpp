#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <sys/wait.h>

using namespace std;

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
