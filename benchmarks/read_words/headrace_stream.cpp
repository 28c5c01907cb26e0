#include <headrace/headrace.hpp>

#include <string>

int main() {
  std::string word;
  unsigned long long count = 0, letters = 0;
  for (; headrace::in.try_read(word); ++count) letters += word.size();
  headrace::out << count << ' ' << letters << '\n';
}
