#include <fast_io.h>
#include <fast_io_device.h>

#include <cstdint>

int main() {
  fast_io::basic_ibuf<fast_io::native_io_observer> in(fast_io::in());
  fast_io::basic_obuf<fast_io::native_io_observer> out(fast_io::out());
  std::uint32_t pairs;
  fast_io::io::scan(in, pairs);
  while (pairs-- > 0) {
    std::int64_t a, b;
    fast_io::io::scan(in, a, b);
    fast_io::io::println(out, a + b);
  }
}
