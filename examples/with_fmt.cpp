// {fmt} formats, headrace writes: appender() is an output iterator, so nothing is built in between.
// The same line works with std::format_to in C++20.
//
//     g++ -std=c++17 -O2 -I include examples/with_fmt.cpp -o with_fmt -lfmt && ./with_fmt < examples/with_fmt.in
#include <fmt/format.h>
#include <headrace/headrace.hpp>

#include <string>

using headrace::in, headrace::out;

int main() {
  std::string name;
  double weight = 0;
  while (in.try_read(name)) {
    in >> weight;
    fmt::format_to(out.appender(), "{:<10}|{:>10.2f}\n", name, weight);
  }
}
