#include <headrace/headrace.hpp>

int main() {
  unsigned long long count = 0, characters = 0;
  for (const std::string_view line : headrace::in.lines()) {
    ++count;
    characters += line.size();
  }
  headrace::out << count << ' ' << characters << '\n';
}
