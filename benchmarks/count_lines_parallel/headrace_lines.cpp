#include <headrace/split.hpp>

struct totals {
  unsigned long long count = 0, characters = 0;
};

int main() {
  const totals all = headrace::for_each_line(
      "/dev/stdin", headrace::threads{THREADS}, totals(),
      [](totals& to, std::string_view line) {
        ++to.count;
        to.characters += line.size();
      },
      [](totals& into, const totals& next) {
        into.count += next.count;
        into.characters += next.characters;
      });
  headrace::out << all.count << ' ' << all.characters << '\n';
}
