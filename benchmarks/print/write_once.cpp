#include <string>
#include <string_view>

#include <unistd.h>

#ifndef NEWLINE
#define NEWLINE 1
#endif
#ifndef SETS
#define SETS 100
#endif

// The limit: all of it is made first, then written in as few calls as the sink allows.
int main() {
  const std::string_view text = NEWLINE ? "Hello World!\n" : "Hello World!";
  std::string all;
  for (int i = 0; i < SETS * 1000; ++i) all += text;
  for (std::size_t done = 0; done < all.size();) {
    const auto put = write(1, all.data() + done, static_cast<unsigned>(all.size() - done));
    if (put < 0) return 1;
    done += static_cast<std::size_t>(put);
  }
}
