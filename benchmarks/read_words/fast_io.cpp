#include <string>  // first: fast_io scans a std::string only where it finds one

#include <fast_io.h>
#include <fast_io_device.h>

int main() {
  fast_io::basic_ibuf<fast_io::native_io_observer> in(fast_io::in());
  std::string word;
  unsigned long long count = 0, letters = 0;
  for (; fast_io::io::scan<true>(in, word); ++count) letters += word.size();
  fast_io::io::println(count, " ", letters);
}
