#include <sys/sendfile.h>

int main() {
  ssize_t done;
  while ((done = sendfile(1, 0, nullptr, 1 << 30)) > 0) {}
  return done < 0;
}
