#include <string_view>

#include <unistd.h>

#ifndef NEWLINE
#define NEWLINE 1
#endif
#ifndef SETS
#define SETS 100
#endif

int main() {
  const std::string_view text = NEWLINE ? "Hello World!\n" : "Hello World!";
  for (int i = 0; i < SETS * 1000; ++i) {
    if (write(1, text.data(), static_cast<unsigned>(text.size())) < 0) return 1;
  }
}
