// {fmt} formats, headrace writes: appender() is an output iterator, so nothing is built in between.
// The same line works with std::format_to in C++20.
#include <fmt/format.h>
#include <headrace/headrace.hpp>

using headrace::in, headrace::out;

int main() {
  std::string name;
  double weight = 0;
  while (in.try_read(name)) {
    in >> weight;
    fmt::format_to(out.appender(), "{:<10}|{:>10.2f}\n", name, weight);
  }
}
