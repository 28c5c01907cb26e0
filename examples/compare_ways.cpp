// Which is faster on your machine at adding up integers in memory: std::strtol, or a headrace::reader? bench.hpp
// measures both in interleaved rounds and answers with an interval.
#include <headrace/bench.hpp>
#include <headrace/reader.hpp>

#include <cstdlib>
#include <string>

int main() {
  headrace::rng random(42);
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(random.below(1'000'000)) + ' ';

  headrace::bench suite("add up 100000 integers");
  suite.batch(100'000, "int");
  suite.run("strtol", [&] {
    long sum = 0;
    char* at = text.data();
    for (int i = 0; i < 100'000; ++i) sum += std::strtol(at, &at, 10);
    return sum;
  });
  suite.run("headrace::reader", [&] {
    long sum = 0;
    headrace::reader source = headrace::reader::from(text);
    for (int value : source.values<int>()) sum += value;
    return sum;
  });
  suite.compare();
}
