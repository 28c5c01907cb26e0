#include <headrace/headrace.hpp>

int main() {
  unsigned long long count = 0, letters = 0;
  for (const std::string_view word : headrace::in.words()) {
    ++count;
    letters += word.size();
  }
  headrace::out << count << ' ' << letters << '\n';
}
