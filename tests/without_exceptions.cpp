// Built with -fno-exceptions and -fno-rtti: the headers compile, reading works, and an error prints its line and
// aborts, which is what CTest waits for.
#include <headrace/headrace.hpp>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

bool reads_well() {
  headrace::reader from = headrace::reader::from("1 2.5 word 3 4 5 x\nline\n300");
  const int one = from.read<int>();
  double two = 0;
  std::string word;
  from >> two >> word;
  std::vector<unsigned> values(3);
  from.read(values);
  int bad = 7;
  const headrace::read_result result = from.parse(bad);
  if (result || result.error->column() != 18 || bad != 7 || !from.skip()) return false;
  from.read_line();
  const std::string_view line = from.read_line();
  return one == 1 && two == 2.5 && word == "word" && values[2] == 5 && line == "line";
}

}  // namespace

int main() {
  if (!reads_well()) {
    std::puts("reading without exceptions went wrong");
    return 1;
  }
  std::signal(SIGABRT, [](int) { std::_Exit(0); });  // to CTest, an abort is a failure whatever was printed
  headrace::reader from = headrace::reader::from("7 12a");
  (void)from.read<std::uint8_t>();
  (void)from.read<std::uint8_t>();  // prints and aborts
  std::puts("still here");
  return 1;
}
