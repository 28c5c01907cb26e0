#include <fast_io.h>
#include <fast_io_device.h>

int main() {
  fast_io::basic_obuf<fast_io::posix_io_observer> out(fast_io::posix_stdout());
  for (int i = 0; i < 7064580; ++i) fast_io::io::println(out, "hello! ", i);
}
