#include <string>
#include <string_view>

#include <unistd.h>

#ifndef NEWLINE
#define NEWLINE 1
#endif
#ifndef SETS
#define SETS 100
#endif

// The limit: 64 KiB of it are made first, and written as often as it takes.
int main() {
  const std::string_view text = NEWLINE ? "Hello World!\n" : "Hello World!";
  const std::size_t whole = SETS * 1000 * text.size();
  std::string some;
  while (some.size() + text.size() <= 65536 && some.size() < whole) some += text;
  for (std::size_t done = 0; done < whole;) {
    const std::size_t at = done % some.size(), left = whole - done;
    const std::size_t size = left < some.size() - at ? left : some.size() - at;
    const auto put = write(1, some.data() + at, static_cast<unsigned>(size));
    if (put < 0) return 1;
    done += static_cast<std::size_t>(put);
  }
}
