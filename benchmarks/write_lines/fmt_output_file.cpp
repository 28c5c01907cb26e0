#include <fmt/os.h>

int main() {
  auto out = fmt::output_file("/dev/stdout");
  for (int i = 0; i < 7064580; ++i) out.print("hello! {}\n", i);
}
