// The contenders under nanobench (11 epochs, as it comes): FILE BYTES REPORT SHARED_OBJECT...
#define ANKERL_NANOBENCH_IMPLEMENT
#include <nanobench.h>

#include "contender.hpp"

int main(int count, char** words) {
  const in_process::answer_channel answers;
  arguments given = read_arguments(count, words, answers);
  ankerl::nanobench::Bench bench;
  bench.title("write").unit("byte").batch(given.size);
  std::vector<in_process::measurement> found;
  for (contender& one : given.contenders) {
    one.meter = {};
    bench.run(one.name, [&] { ankerl::nanobench::doNotOptimizeAway(given.call(one)); });
    const double seconds = bench.results().back().median(ankerl::nanobench::Result::Measure::elapsed);
    found.push_back({one.name, seconds * 1e9, one.meter.a_call()});
  }
  in_process::write_report(given.report, "nanobench", found);
  std::remove(given.file);
}
