#include <stdio.h>
#include <stdlib.h>

int main() {
  char* line = nullptr;
  size_t room = 0;
  ssize_t size;
  unsigned long long count = 0, characters = 0;
  while ((size = getline(&line, &room, stdin)) >= 0) {
    if (size > 0 && line[size - 1] == '\n') --size;
    ++count;
    characters += static_cast<unsigned long long>(size);
  }
  free(line);
  printf("%llu %llu\n", count, characters);
}
