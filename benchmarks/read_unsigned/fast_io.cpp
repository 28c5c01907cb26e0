#include <fast_io.h>
#include <fast_io_device.h>

#include <cstdint>

int main() {
  fast_io::basic_ibuf<fast_io::native_io_observer> in(fast_io::in());
  std::uint64_t x, all = 0;
  while (fast_io::io::scan<true>(in, x)) all ^= x;
  fast_io::io::println(all);
}
