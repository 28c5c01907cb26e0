#include <fmt/format.h>

int main() {
  for (int i = 0; i < 7064580; ++i) fmt::print("hello! {}\n", i);
}
