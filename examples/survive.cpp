// Reads integers from a file that people edited: reports what is no integer on stderr, goes on, and prints the sum.
// parse() never throws; skip() passes over the bad token.
#include <headrace/headrace.hpp>

#include <cstdio>

using headrace::in, headrace::out;

int main() {
  long long sum = 0;
  int value = 0;
  bool all_good = true;
  while (true) {
    const headrace::read_result result = in.parse(value);
    if (result) {
      sum += value;
      continue;
    }
    if (result.error->at_end()) break;
    std::fprintf(stderr, "%s\n", result.error->what());
    all_good = false;
    in.skip();
  }
  out << sum << '\n';
  return all_good ? 0 : 1;
}
