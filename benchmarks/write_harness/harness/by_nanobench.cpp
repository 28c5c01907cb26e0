// The contenders under nanobench (11 epochs, as it comes).
#define ANKERL_NANOBENCH_IMPLEMENT
#include <nanobench.h>

#include "contender.hpp"

int main(int count, char** words) {
  const arguments given = read_arguments(count, words);
  ankerl::nanobench::Bench bench;
  bench.title("write").unit("byte").batch(given.size);
  std::vector<line> lines;
  for (const contender& one : given.contenders) {
    bench.run(one.name, [&] { ankerl::nanobench::doNotOptimizeAway(one.write(given.file, given.size)); });
    const double seconds = bench.results().back().median(ankerl::nanobench::Result::Measure::elapsed);
    lines.push_back({one.name, seconds * 1e9});
  }
  write_report(given.report, "nanobench", lines);
  std::remove(given.file);
}
