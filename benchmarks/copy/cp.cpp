#include <unistd.h>

int main() {
  execlp("cp", "cp", "/dev/stdin", "/dev/stdout", static_cast<char*>(nullptr));
  return 127;
}
