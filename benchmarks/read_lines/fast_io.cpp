#include <fast_io.h>
#include <fast_io_device.h>

int main() {
  fast_io::basic_ibuf<fast_io::native_io_observer> in(fast_io::in());
  unsigned long long count = 0, characters = 0;
  for (auto&& line : fast_io::line_scanner(in)) {
    ++count;
    characters += static_cast<unsigned long long>(line.end() - line.begin());
  }
  fast_io::io::println(count, " ", characters);
}
