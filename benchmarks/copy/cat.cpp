#include <unistd.h>

int main() {
  execlp("cat", "cat", static_cast<char*>(nullptr));
  return 127;
}
