// Answers records of glibc's tests of scanf, from standard input, a file: FORMAT:INPUT:RESULT:COUNT:VALUE: each, and
// lines that begin with #. Prints a line for each record, in its words: RESULT:COUNT:VALUE: or RESULT:COUNT: without a
// value. The formats come from formats.inc, a FORMAT(text, type), TEXT(text) or STARS(text) each, made from the
// records. The argument `position` takes the count from ftell(), so that no %lln sends the format to the C library.
#ifdef REPLACED
#include <headrace/replace_stdio.hpp>
#endif

#include <cstdio>
#include <cstring>
#include <string>

namespace {

bool by_position = false;

struct answer {
  int result = 0;
  long long count = -1;
  std::string value;
};

template <class Scan, class ScanAndCount>
void count(answer& got, Scan scan, ScanAndCount scan_and_count) {
  if (!by_position) {
    got.result = scan_and_count(&got.count);
    return;
  }
  const long before = std::ftell(stdin);
  got.result = scan();
  got.count = std::ftell(stdin) - before;
}

#define COUNTED(text, ...) \
  count(got, [&] { return scanf(text __VA_ARGS__); }, [&](long long* n) { return scanf(text "%lln" __VA_ARGS__, n); })

answer scan(const std::string& format) {
  answer got;
#define FORMAT(text, type)                                       \
  if (format == text) {                                          \
    type value;                                                  \
    std::memset(&value, 0xa5, sizeof value);                     \
    COUNTED(text, , &value);                                     \
    if (got.result > 0) got.value = std::to_string(value) + ':'; \
    return got;                                                  \
  }
#define TEXT(text)                                                                         \
  if (format == text) {                                                                    \
    char value[200];                                                                       \
    std::memset(value, 0xa5, sizeof value);                                                \
    COUNTED(text, , value);                                                                \
    if (got.result > 0) got.value = std::string(value, std::strcspn(value, "\xa5")) + ':'; \
    return got;                                                                            \
  }
#define STARS(text)     \
  if (format == text) { \
    COUNTED(text, );    \
    return got;         \
  }
#include "formats.inc"
  return got;
}

}  // namespace

int main(int count, char** words) {
  by_position = count > 1 && std::strcmp(words[1], "position") == 0;
  for (int c = getchar(); c != EOF; c = getchar()) {
    if (c != '#') {
      std::string format;
      for (; c != ':' && c != EOF; c = getchar()) format += static_cast<char>(c);
      const answer got = scan(format);
      printf("%d:%lld:%s\n", got.result, got.count, got.value.c_str());
    }
    while (c != '\n' && c != EOF) c = getchar();
  }
}
