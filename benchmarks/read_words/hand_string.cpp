#include <stdio.h>
#include <unistd.h>

#include <string>

static char buffer[1 << 20];
static const char* at = buffer;
static const char* end = buffer;

static int next() {
  if (at == end) {
    const ssize_t got = read(0, buffer, sizeof buffer);
    if (got <= 0) return -1;
    at = buffer;
    end = buffer + got;
  }
  return *at++;
}

static bool read_word(std::string& word) {
  word.clear();
  int c = next();
  while (c == ' ' || c == '\n') c = next();
  for (; c > ' '; c = next()) word.push_back(static_cast<char>(c));
  return !word.empty();
}

int main() {
  std::string word;
  unsigned long long count = 0, letters = 0;
  for (; read_word(word); ++count) letters += word.size();
  printf("%llu %llu\n", count, letters);
}
